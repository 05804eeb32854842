const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

const PLAIN = /^[\x20-\x7e]*$/
const EMOJI = /\p{Emoji_Presentation}|\ufe0f/u
/** East Asian wide and fullwidth. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const INVISIBLE = /^[\p{Mark}\p{Default_Ignorable_Code_Point}]+$/u

/** How many cells of a terminal a text takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += widthOfGrapheme(segment)
  return width
}

/** The text, or as much of its beginning as fits with a … after it. */
export function cut(text: string, most: number): string {
  if (text.length <= most && PLAIN.test(text)) return text
  let width = 0
  let kept = ''
  for (const { segment, index } of graphemes.segment(text)) {
    const next = width + widthOfGrapheme(segment)
    if (next > most || (next === most && index + segment.length < text.length))
      return widthOf(text.slice(index)) + width <= most ? text : `${kept}…`
    width = next
    kept += segment
  }
  return text
}

const widthOfGrapheme = (grapheme: string): number => {
  if (PLAIN.test(grapheme)) return 1
  if (INVISIBLE.test(grapheme)) return 0
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1
}
