const LONGEST = 40

/** The words on the button that puts a suggestion in. */
export function fixLabel(suggestion: string): string {
  const text = suggestion.replace(/\s+/g, ' ').trim()
  if (text === '') return 'Remove it'
  return `Change to ${text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text}`
}
