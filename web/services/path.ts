export const SERVICE_STATUS = '/v1/sirp/services/status'
export const LICENSE_STATUS = '/v1/sirp/services/license'
export const LICENSES = '/v1/licorice/licenses'
