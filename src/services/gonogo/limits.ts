/** How many dispatches each sliding window may hold. A missing window is no limit, 0 is never. */
export interface Limits {
  readonly perSecond?: number
  readonly perTenSeconds?: number
  readonly perMinute?: number
}

/** The windows in milliseconds, by the name of their limit. */
export const windowMs = { perSecond: 1000, perTenSeconds: 10_000, perMinute: 60_000 } as const
export type WindowName = keyof typeof windowMs
export const windowNames = Object.keys(windowMs) as WindowName[]
export const longestWindowMs = windowMs.perMinute

/** What holds for a domain without a policy. */
export const defaultLimits: Limits = { perSecond: 1, perTenSeconds: 10, perMinute: 60 }

/** Limits as a client may write them: whole numbers, or the same in text. */
export type GivenLimits = { readonly [N in WindowName]?: number | string | undefined }

export function readLimits(given: GivenLimits): Limits {
  const limits: { -readonly [N in WindowName]?: number } = {}
  for (const name of windowNames) {
    const value = given[name]
    if (value !== undefined) limits[name] = Number(value)
  }
  return limits
}
