/** What was written on the empty query page and not run yet, until the tab is closed. */
const KEY = 'forage.draft'

export const readDraft = (): string => sessionStorage.getItem(KEY) ?? ''
export const keepDraft = (text: string): void => sessionStorage.setItem(KEY, text)
export const forgetDraft = (): void => sessionStorage.removeItem(KEY)
