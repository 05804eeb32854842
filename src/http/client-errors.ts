import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorCodes, ForageError } from '../errors.ts'
import { systemCode } from '../fault.ts'
import { PROBLEM_TYPE, problemText } from './problems.ts'

interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Answers, as problems too, what Node refuses before there is a request: broken HTTP, oversized headers, a dribble. */
export class ClientErrors {
  readonly #latest = new WeakMap<object, Exchange>()

  watch(server: Server): void {
    server.prependListener('request', (request, response) =>
      this.#latest.set(request.socket, { request, response }),
    )
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
      const error = new ForageError('unsupported_expectation', 'Only "Expect: 100-continue" is understood.')
      const requestId = randomUUID()
      request.resume()
      response.writeHead(error.status, { 'content-type': PROBLEM_TYPE, 'x-request-id': requestId })
      response.end(problemText(error, requestId))
    })
  }

  readonly handle = (error: Error, socket: Duplex): void => {
    const latest = this.#latest.get(socket)
    // A client that sends several requests at once may spoil the last; those before it still get their answers.
    if (latest?.request.complete && !latest.response.writableFinished && !latest.response.destroyed) {
      latest.response.once('close', () => refuse(error, socket))
      return
    }
    if (latest?.response.headersSent && !latest.request.complete) socket.destroy()
    else refuse(error, socket)
  }
}

function refuse(error: Error, socket: Duplex): void {
  if (!socket.writable || systemCode(error) === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const problem = explain(error)
  const requestId = randomUUID()
  const body = problemText(problem, requestId)
  socket.end(
    [
      `HTTP/1.1 ${problem.status} ${errorCodes[problem.code].title}`,
      `Content-Type: ${PROBLEM_TYPE}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'X-Content-Type-Options: nosniff',
      'Cache-Control: no-store',
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
    () => socket.destroy(),
  )
}

function explain(error: Error): ForageError {
  switch (systemCode(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return new ForageError(
        'headers_too_large',
        'Request line and headers are too large; send large inputs in a body.',
      )
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ForageError('request_timeout', 'The request was not complete in time.')
    case 'HPE_INVALID_EOF_STATE':
      return new ForageError('malformed_request', 'The connection ended before the request was complete.')
    default:
      return new ForageError('malformed_request', 'This is not an HTTP/1.1 request.')
  }
}
