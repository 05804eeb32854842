export const USERS = '/v1/secrets/users'
