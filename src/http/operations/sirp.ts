import { declare } from './declare.ts'

export const sirp = declare('sirp', {
  restartSirp: ['Restart service', 'POST', '/v1/sirp/restart'],
  restartService: ['Restart a specific service', 'POST', '/v1/sirp/services/{type}/restart'],
  getServiceStatus: ['Retrieve service status', 'GET', '/v1/sirp/services/{service}/status'],
  listServiceStatuses: ['Retrieve all service statuses', 'GET', '/v1/sirp/services/status'],
  listServiceLicenses: ['Retrieve all service license statuses', 'GET', '/v1/sirp/services/license'],
  parseQuery: ['Parse a query string', 'POST', '/v1/sirp/query/parse'],
  listQueries: ['Retrieve all queries', 'GET', '/v1/sirp/queries'],
  dispatchQuery: ['Dispatch a query', 'POST', '/v1/sirp/query/runner/dispatch'],
  dispatchQueryAndWait: [
    'Dispatch a query and wait for completion',
    'POST',
    '/v1/sirp/query/runner/dispatch/wait',
  ],
  getQuery: ['Retrieve a query', 'GET', '/v1/sirp/queries/{id}'],
  deleteQuery: ['Delete a query', 'DELETE', '/v1/sirp/queries/{id}'],
  listQueryScreenshots: ['Retrieve query screenshots', 'GET', '/v1/sirp/queries/{id}/screenshots'],
  getQuerySummary: ['Retrieve a query summary', 'GET', '/v1/sirp/queries/{id}/summary'],
  getQuerySummaryStatus: ['Retrieve a query summary status', 'GET', '/v1/sirp/queries/{id}/summary/status'],
  cancelQuery: ['Cancel a query', 'POST', '/v1/sirp/queries/{id}/cancel'],
  getQueryStatus: ['Retrieve a query status', 'GET', '/v1/sirp/queries/{id}/status'],
  listQueryStages: ['Retrieve all stages for a query', 'GET', '/v1/sirp/queries/{id}/stages'],
  listQueryCommands: ['Retrieve all commands for a query', 'GET', '/v1/sirp/queries/{id}/commands'],
  getQueryStage: ['Retrieve a stage for a query', 'GET', '/v1/sirp/queries/{id}/stages/{stage}'],
  listStageCommands: [
    'Retrieve commands for a query stage',
    'GET',
    '/v1/sirp/queries/{id}/stages/{stage}/commands',
  ],
  getStageResults: [
    'Retrieve results for a query stage',
    'GET',
    '/v1/sirp/queries/{id}/stages/{stage}/results',
  ],
  getQueryResults: ['Retrieve query results', 'GET', '/v1/sirp/queries/{id}/results'],
  dispatchCommand: ['Dispatch a command', 'POST', '/v1/sirp/command/dispatch'],
  decorateQuery: [
    'Parse a query string and decorate with attributes',
    'POST',
    '/v1/sirp/query/decorate/{type}',
  ],
})

export const cellar = declare('sirp', {
  exportCellarFile: ['Export a cellar file', 'GET', '/v1/sirp/cellar/files/{name}/export/{mode}'],
  listCellarFiles: ['Retrieve all cellar files', 'GET', '/v1/sirp/cellar/files'],
  uploadCellarFile: ['Upload a cellar file', 'POST', '/v1/sirp/cellar/files'],
  getCellarFile: ['Retrieve a cellar file', 'GET', '/v1/sirp/cellar/files/{name}'],
  deleteCellarFile: ['Delete a cellar file', 'DELETE', '/v1/sirp/cellar/files/{name}'],
  listCellarManifests: ['Retrieve all cellar manifests', 'GET', '/v1/sirp/cellar/manifests'],
  addCellarManifest: ['Add a cellar manifest', 'POST', '/v1/sirp/cellar/manifests'],
  getCellarManifest: ['Retrieve a cellar manifest', 'GET', '/v1/sirp/cellar/manifests/{name}'],
  deleteCellarManifest: ['Delete a cellar manifest', 'DELETE', '/v1/sirp/cellar/manifests/{name}'],
  touchCellarManifest: ['Touch a store manifest', 'POST', '/v1/sirp/cellar/manifests/{name}/touch'],
  touchCellarManifestErrors: [
    'Touch a cellar manifest errors',
    'POST',
    '/v1/sirp/cellar/manifests/{name}/errors/touch',
  ],
})

export const scheduled = {
  ...declare('sirp', {
    listScheduledQueries: ['Retrieve all scheduled queries', 'GET', '/v1/sirp/scheduled'],
    addScheduledQuery: ['Add a scheduled query', 'POST', '/v1/sirp/scheduled'],
    getScheduledQuery: ['Retrieve a scheduled query', 'GET', '/v1/sirp/scheduled/{id}'],
    deleteScheduledQuery: ['Delete a scheduled query', 'DELETE', '/v1/sirp/scheduled/{id}'],
    updateScheduledQuery: ['Update a scheduled query', 'PUT', '/v1/sirp/scheduled'],
    enableScheduledQuery: ['Enable a scheduled query', 'POST', '/v1/sirp/scheduled/{id}/enable'],
    disableScheduledQuery: ['Disable a scheduled query', 'POST', '/v1/sirp/scheduled/{id}/disable'],
    createScheduledQuery: ['Create a scheduled query (2)', 'POST', '/v1/sirp/scheduled/query'],
  }),
  ...declare('almanac', {
    createAlmanacQuery: ['Create a scheduled query (1)', 'POST', '/v1/almanac/scheduled'],
  }),
}

export const templates = declare('sirp', {
  listTemplates: ['List query templates', 'GET', '/v1/sirp/templates'],
  createTemplate: ['Create a new query template', 'POST', '/v1/sirp/templates'],
  getTemplate: ['Retrieve a query template', 'GET', '/v1/sirp/templates/{id}'],
  updateTemplate: ['Update a query template', 'PUT', '/v1/sirp/templates/{id}'],
  deleteTemplate: ['Delete a query template', 'DELETE', '/v1/sirp/templates/{id}'],
  dispatchTemplate: [
    'Dispatch a query template and wait for completion',
    'POST',
    '/v1/sirp/templates/dispatch',
  ],
  parseTemplate: ['Parse a query template', 'POST', '/v1/sirp/templates/parse'],
})

export const sirpAdditions = {
  ...declare(
    'sirp',
    {
      streamQueryEvents: ['Follow a query', 'GET', '/v1/sirp/queries/{id}/events'],
      listCommands: ['Retrieve all commands of the language', 'GET', '/v1/sirp/commands'],
      completeQuery: ['Complete a query string', 'POST', '/v1/sirp/query/complete'],
      replaceScheduledQuery: ['Update a scheduled query by id', 'PUT', '/v1/sirp/scheduled/{id}'],
      runScheduledQuery: ['Run a scheduled query now', 'POST', '/v1/sirp/scheduled/{id}/run'],
      listScheduledRuns: ['Retrieve the runs of a scheduled query', 'GET', '/v1/sirp/scheduled/{id}/runs'],
    },
    true,
  ),
  ...declare('jobs', { listJobs: ['Retrieve all jobs', 'GET', '/v1/jobs'] }, true),
  ...declare('workers', { listWorkers: ['Retrieve all workers', 'GET', '/v1/workers'] }, true),
}
