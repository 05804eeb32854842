import { ARRAY, BOOLEAN, EMPTY, NUMBER, OBJECT, TEXT, type Tree } from './tree.ts'

const ANY_TEXT = String.raw`"(?:[^"\\]|\\.)*"`

/**
 * A regular expression that matches JSON with no key, item or kind of value that the tree does not have. It may miss
 * some (keys in another order, white space), and takes the text to be JSON: so of commas and brackets it looks at no
 * more than it needs.
 */
export function patternOf(tree: Tree): string {
  const { kinds, children } = tree
  const forms = ['null']
  if (kinds & TEXT) forms.push(ANY_TEXT)
  if (kinds & NUMBER) forms.push('[-+.eE0-9]+')
  if (kinds & BOOLEAN) forms.push('true', 'false')
  if (kinds & OBJECT && kinds & EMPTY) forms.push(String.raw`\{\}`)
  if (kinds & ARRAY && kinds & EMPTY) forms.push(String.raw`\[\]`)
  if (kinds & OBJECT && children.length > 0) forms.push(objectPattern(children))
  if (kinds & ARRAY && tree.has('0')) forms.push(arrayPattern(tree))
  return forms.length === 1 ? 'null' : `(?:${forms.join('|')})`
}

/** Each member brings the comma or the bracket that follows it, so at least one has to be there. */
const objectPattern = (children: readonly Tree[]): string =>
  String.raw`\{${children.map(child => `(?:${keyOf(child)}:${patternOf(child)}[,}])?`).join('')}`

const keyOf = (child: Tree): string => escaped(JSON.stringify(child.below.at(-1)!))

/** An item is there only if the one before it is. */
function arrayPattern(tree: Tree): string {
  const children = new Map(tree.children.map(child => [child.below.at(-1)!, child]))
  const items: Tree[] = []
  for (let child = children.get('0'); child; child = children.get(String(items.length))) items.push(child)
  const [first, ...others] = items.map(patternOf)
  return String.raw`\[${first!}${others.map(item => `(?:,${item}`).join('')}${')?'.repeat(others.length)}\]`
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
