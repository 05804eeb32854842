/** Records about the services themselves. */
import Type from 'typebox'
import { allOf, Count, nullable, record, Time } from './fields.ts'
import { serviceNames } from './service.ts'

export const ServiceNameField = Type.Enum([...serviceNames])

const Status = Type.Enum(['running', 'starting', 'stopped', 'failed'])

export const ServiceStatusRecord = record('ServiceStatus', {
  service: ServiceNameField,
  status: Status,
  since: Time,
  restarts: Count,
  detail: Type.String(),
})

export const ServiceStatuses = allOf('ServiceStatuses', ServiceStatusRecord)

export const ServiceRestart = record('ServiceRestart', { service: ServiceNameField, status: Status })

export const LicenseStatusRecord = record('LicenseStatus', {
  service: ServiceNameField,
  licensed: Type.Boolean(),
  plan: Type.String(),
  expires: nullable(Time),
})

export const LicenseStatuses = allOf('LicenseStatuses', LicenseStatusRecord)
