import type { DomainPolicy } from '../api/types.ts'

type Limits = DomainPolicy['policy']
export type WindowName = keyof Limits

/** The windows of a policy, in the words of the page. */
export const windows: readonly {
  readonly name: WindowName
  readonly label: string
  readonly seconds: number
}[] = [
  { name: 'perSecond', label: 'Per second', seconds: 1 },
  { name: 'perTenSeconds', label: 'Per ten seconds', seconds: 10 },
  { name: 'perMinute', label: 'Per minute', seconds: 60 },
]

/** "5 per second, 20 per minute". */
export function limitsInWords(limits: Limits): string {
  const given = windows.flatMap(({ name, label }) =>
    limits[name] === undefined ? [] : [`${limits[name]} ${label.toLowerCase()}`],
  )
  return given.length === 0 ? 'no limit' : given.join(', ')
}
