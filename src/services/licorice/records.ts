/** Licenses (api.md, licorice). */
import Type from 'typebox'
import { listOf, nullable, record, Time } from '../fields.ts'
import { ServiceNameField } from '../records.ts'

export const LicenseRecord = record('License', {
  plan: Type.String(),
  holder: Type.String(),
  services: Type.Array(ServiceNameField),
  expires: nullable(Time),
  addedAt: nullable(Time),
})
export const LicenseList = listOf('LicenseList', LicenseRecord)
