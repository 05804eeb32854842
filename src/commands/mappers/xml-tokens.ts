/** What is wrong with a text that should be XML, and where. */
export class MalformedXml extends Error {
  override readonly name = 'MalformedXml'
  readonly line: number
  readonly column: number
  constructor(problem: string, source: string, offset: number) {
    const before = source.slice(0, offset)
    const line = before.split('\n').length
    const column = offset - before.lastIndexOf('\n')
    super(`Line ${line}, column ${column}: ${problem}.`)
    this.line = line
    this.column = column
  }
}

export interface Tag {
  readonly name: string
  readonly attributes: readonly (readonly [string, string])[]
  readonly empty: boolean
  /** Behind its `>`. */
  readonly end: number
}

const NAME = String.raw`[:_\p{L}][:_\p{L}\p{N}\p{M}.\-\u00b7]*`
const WHOLE_NAME = new RegExp(`^${NAME}$`, 'u')
const OPENING = new RegExp(`<(${NAME})`, 'uy')
const ATTRIBUTE = new RegExp(`[ \\t\\r\\n]+(${NAME})[ \\t\\r\\n]*=[ \\t\\r\\n]*("[^"<]*"|'[^'<]*')`, 'uy')
const TAG_END = /[ \t\r\n]*(\/?)>/y

export const isName = (text: string): boolean => WHOLE_NAME.test(text)

/** Reads an opening tag with its attributes. */
export function readTag(source: string, start: number): Tag {
  const fail = (problem: string, offset: number) => new MalformedXml(problem, source, offset)
  const opening = match(OPENING, source, start)
  if (!opening) throw fail('< begins no tag; in text it is written &lt;', start)
  const attributes = new Map<string, string>()
  let at = OPENING.lastIndex
  for (;;) {
    const attribute = match(ATTRIBUTE, source, at)
    if (!attribute) break
    const [whole, name, quoted] = attribute
    if (attributes.has(name!)) throw fail(`the attribute ${name} is given twice`, at)
    const valueAt = at + whole.length - quoted!.length + 1
    attributes.set(name!, decode(quoted!.slice(1, -1).replace(/\r\n|[\r\n\t]/g, ' '), source, valueAt))
    at = ATTRIBUTE.lastIndex
  }
  const end = match(TAG_END, source, at)
  if (!end) throw fail(`<${opening[1]}> has an attribute without quotes, or no >`, at)
  return { name: opening[1]!, attributes: [...attributes], empty: end[1] === '/', end: TAG_END.lastIndex }
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}

const ENTITIES = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])
const REFERENCE = /&(?:#(\d{1,8})|#x([0-9a-fA-F]{1,7})|([^;&<\s]*));|&/g

/** Text with its references filled in and its line ends as XML wants them. */
export function decode(text: string, source: string, offset: number): string {
  const unknown = (reference: string, at: number) =>
    new MalformedXml(
      reference === '&'
        ? '& begins no reference; in text it is written &amp;'
        : `${reference} is not known: only the five entities of XML itself are`,
      source,
      offset + at,
    )
  const lines = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  if (!lines.includes('&')) return lines
  return lines.replace(REFERENCE, (reference, decimal, hexadecimal, name, at) => {
    const code = decimal ? Number(decimal) : hexadecimal ? Number.parseInt(hexadecimal, 16) : undefined
    const character =
      code === undefined ? ENTITIES.get(name) : isCharacter(code) ? String.fromCodePoint(code) : undefined
    if (character === undefined) throw unknown(reference, at)
    return character
  })
}

const isCharacter = (code: number): boolean =>
  code === 9 ||
  code === 10 ||
  code === 13 ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd) ||
  (code >= 0x10000 && code <= 0x10ffff)
