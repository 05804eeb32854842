/** The letters that may follow a percent sign, a hyphen between them allowed where DuckDB allows it. */
const SPECIFIER = /%(?:%|-[dmyHIMSj]|[aAwudbBmyYHIpMSgfnzZjUWGVcxX])/y

/** The name of a time zone as everybody spells it; undefined when there is none of that name. */
export function timeZoneNamed(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The first piece of a strftime format that means nothing, if there is one. */
export function unknownSpecifier(format: string): string | undefined {
  for (let at = format.indexOf('%'); at >= 0; at = format.indexOf('%', at)) {
    SPECIFIER.lastIndex = at
    if (!SPECIFIER.test(format)) return format.slice(at, at + 2)
    at = SPECIFIER.lastIndex
  }
  return undefined
}
