import { declare } from './declare.ts'

export const gonogo = declare('gonogo', {
  getPolicyEnvironment: ['Retrieve environment variables', 'GET', '/v1/gonogo/env'],
  restartGonogo: ['Restart service', 'POST', '/v1/gonogo/restart'],
  enforcePolicy: ['Enforce a domain policy', 'POST', '/v1/gonogo/domains/{domain}/enforce/{id}'],
  checkPolicy: ['Check a domain policy', 'POST', '/v1/gonogo/domains/{domain}/check'],
  listPolicies: ['Retrieve all domain policies', 'GET', '/v1/gonogo/policies'],
  createPolicy: ['Create a domain policy', 'POST', '/v1/gonogo/policies'],
  getPolicy: ['Retrieve a domain policy', 'GET', '/v1/gonogo/policies/{id}'],
  updatePolicy: ['Update a domain policy', 'PUT', '/v1/gonogo/policies/{id}'],
  deletePolicy: ['Delete a domain policy', 'DELETE', '/v1/gonogo/policies/{id}'],
})

export const gonogoAdditions = declare(
  'gonogo',
  { listDomains: ['Retrieve the use of the limits by domain', 'GET', '/v1/gonogo/domains'] },
  true,
)
