const PREFIX = 'forage.draft'

/** What was written on the page of a query, or on the empty one, and not run yet, until the tab is closed. */
const keyOf = (id: string | undefined): string => (id === undefined ? PREFIX : `${PREFIX}.${id}`)

export const readDraft = (id: string | undefined): string | undefined =>
  sessionStorage.getItem(keyOf(id)) ?? undefined

export function keepDraft(id: string | undefined, text: string): void {
  try {
    sessionStorage.setItem(keyOf(id), text)
  } catch {
    // There is room for some five million letters; more than that is written without a net.
  }
}

export const forgetDraft = (id: string | undefined): void => sessionStorage.removeItem(keyOf(id))

/** Whoever signs in next in this tab may be somebody else. */
export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
}
