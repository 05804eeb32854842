import type { JsonText, Time } from './values.ts'

export interface PolicyTable {
  id: string
  name: string
  domain: string
  /** `{ perSecond, perTenSeconds, perMinute }`, each optional. */
  policy: JsonText
  created_at: Time
  updated_at: Time
}
