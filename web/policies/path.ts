export const POLICIES = '/v1/gonogo/policies'
export const DOMAINS = '/v1/gonogo/domains'
