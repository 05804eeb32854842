/** The address that a `Link` header calls next (RFC 8288). */
export function nextLink(header: string): string | undefined {
  for (const [, address, parameters] of header.matchAll(/<([^<>]*)>((?:[^,"<]|"(?:[^"\\]|\\.)*")*)/g)) {
    const relation = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters!)
    const names = (relation?.[1] ?? relation?.[2] ?? '').toLowerCase().split(/\s+/)
    if (names.includes('next')) return address
  }
  return undefined
}
