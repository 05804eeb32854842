import { fields } from '../../services/fields.ts'
import type { LicoriceService } from '../../services/licorice/service.ts'
import {
  LicenseStatuses,
  ServiceNameField,
  ServiceRestart,
  ServiceStatuses,
  ServiceStatusRecord,
} from '../../services/records.ts'
import type { ServiceName } from '../../services/service.ts'
import type { Supervisor } from '../../services/supervisor.ts'
import type { App } from '../context.ts'
import type { OperationId } from '../operations.ts'
import { type Routes, route } from '../route.ts'

export interface ServicesRoutesOptions {
  readonly supervisor: Pick<Supervisor, 'restart' | 'status' | 'statuses'>
  readonly licorice: LicoriceService
}

/** Status, license and restart of the ten services. They answer whatever state the services are in. */
export const servicesRoutes =
  ({ supervisor, licorice }: ServicesRoutesOptions): Routes =>
  app => {
    route(app, 'listServiceStatuses', {
      whileDown: true,
      schema: { response: { 200: ServiceStatuses } },
      handler: async () => ({ items: supervisor.statuses() }),
    })

    route(app, 'getServiceStatus', {
      whileDown: true,
      schema: { params: fields({ service: ServiceNameField }), response: { 200: ServiceStatusRecord } },
      handler: async request => supervisor.status(request.params.service),
    })

    route(app, 'listServiceLicenses', {
      whileDown: true,
      schema: { response: { 200: LicenseStatuses } },
      handler: async () => ({ items: licorice.statuses() }),
    })

    route(app, 'restartService', {
      whileDown: true,
      description: 'Answers at once; the status of the service says when it runs again.',
      schema: { params: fields({ type: ServiceNameField }), response: { 202: ServiceRestart } },
      handler: async (request, reply) => reply.code(202).send(restart(app, supervisor, request.params.type)),
    })

    restartRoute(app, supervisor, 'restartSirp', 'sirp')
    restartRoute(app, supervisor, 'restartKrull', 'krull')
    restartRoute(app, supervisor, 'restartGonogo', 'gonogo')
    restartRoute(app, supervisor, 'restartScreenshot', 'screenshot')
  }

function restartRoute(
  app: App,
  supervisor: ServicesRoutesOptions['supervisor'],
  id: OperationId,
  service: ServiceName,
): void {
  route(app, id, {
    whileDown: true,
    schema: { response: { 202: ServiceRestart } },
    handler: async (_request, reply) => reply.code(202).send(restart(app, supervisor, service)),
  })
}

function restart(app: App, supervisor: ServicesRoutesOptions['supervisor'], name: ServiceName) {
  supervisor.restart(name).catch(error => app.log.error({ err: error, service: name }, 'restart failed'))
  const { service, status } = supervisor.status(name)
  return { service, status }
}
