export const CREDENTIALS = '/v1/secrets/credentials'
export const TOKENS = '/v1/secrets/oauth/tokens'
export const MAPPINGS = '/v1/secrets/oauth/mappings'
