/** Text that is already HTML or XML and must not be escaped again. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Insert = Markup | string | number | bigint | null | undefined | false | readonly Insert[]

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeMarkup(text: string): string {
  return text.replace(/[&<>"']/g, character => ESCAPES[character]!)
}

/** A template tag for HTML and XML alike: what is put in is escaped, unless it is markup itself. */
export function markup(strings: TemplateStringsArray, ...inserts: Insert[]): Markup {
  let text = strings[0]!
  inserts.forEach((insert, index) => {
    text += render(insert) + strings[index + 1]!
  })
  return new Markup(text)
}

function render(insert: Insert): string {
  if (insert === null || insert === undefined || insert === false) return ''
  if (insert instanceof Markup) return insert.text
  if (typeof insert === 'object') return insert.map(render).join('')
  return escapeMarkup(String(insert))
}

/** JSON inside a script element: a `<` in the data could otherwise end the element. */
export function jsonForScript(value: unknown): Markup {
  return new Markup(JSON.stringify(value).replaceAll('<', '\\u003c'))
}
