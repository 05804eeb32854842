export const STORES = '/v1/secrets/stores'
export const STREAMS = '/v1/mentos/streams'
