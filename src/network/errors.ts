/** How a connection or a request can fail, and whether trying again can help. */
export const networkErrors = {
  blocked_address: { retry: 'never', meaning: 'the address may not be reached; the message names the rule' },
  blocked_scheme: { retry: 'never', meaning: 'only http and https addresses are fetched' },
  bad_url: { retry: 'never', meaning: 'the address cannot be read' },
  bad_request: { retry: 'never', meaning: 'a header, the method or the body cannot be sent' },
  bad_proxy: { retry: 'never', meaning: 'the proxy address or the PAC file cannot be used' },
  dns_error: { retry: 'always', meaning: 'the name does not resolve' },
  connect_error: { retry: 'always', meaning: 'the connection was refused, or the host is out of reach' },
  connect_timeout: { retry: 'always', meaning: 'the connection was not made in time' },
  tls_error: { retry: 'never', meaning: 'the certificate is not valid, or TLS failed' },
  proxy_error: { retry: 'always', meaning: 'the proxy is dead, refuses, or asks for a password' },
  timeout: { retry: 'idempotent', meaning: 'no whole answer within the time-out' },
  connection_lost: { retry: 'idempotent', meaning: 'the connection broke before the whole answer was there' },
  bad_response: { retry: 'idempotent', meaning: 'the answer is not HTTP, or is packed wrongly' },
  too_many_redirects: { retry: 'never', meaning: 'it redirects too often' },
  too_large: { retry: 'never', meaning: 'the answer, unpacked, is larger than the limit' },
  aborted: { retry: 'never', meaning: 'it was cancelled' },
} as const

export type NetworkErrorCode = keyof typeof networkErrors

/** A failure on the way to another host. Its message never holds a password or an address found by resolving. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly code: NetworkErrorCode
  /** A failure that another try cannot mend, although its code usually can be. */
  readonly final: boolean

  constructor(code: NetworkErrorCode, message: string, options?: ErrorOptions & { final?: boolean }) {
    super(message, options)
    this.code = code
    this.final = options?.final ?? networkErrors[code].retry === 'never'
  }
}

/** The error that an aborted signal stands for: its reason if that is one of ours. */
export const abortError = (signal: AbortSignal): NetworkError =>
  signal.reason instanceof NetworkError
    ? signal.reason
    : new NetworkError('aborted', 'It was cancelled.', { cause: signal.reason })
