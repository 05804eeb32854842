import { addressOf, problemOf, writeHeaders } from '../api/client.ts'
import { Unreachable } from '../api/problem.ts'
import type { CellarFile } from '../api/types.ts'
import { FILES } from './actions.ts'

interface Upload {
  readonly file: File
  readonly name: string
  readonly replace: boolean
  readonly signal: AbortSignal
  /** From 0 to 1. */
  readonly onProgress: (done: number) => void
}

/** Sends a file to the cellar. By XMLHttpRequest: fetch does not tell how far it has come. */
export function upload({ file, name, replace, signal, onProgress }: Upload): Promise<CellarFile> {
  const { promise, resolve, reject } = Promise.withResolvers<CellarFile>()
  const request = new XMLHttpRequest()
  const form = new FormData()
  form.append('name', name)
  form.append('file', file)
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
  request.onload = () => {
    const { status, responseText } = request
    if (status === 201) resolve(JSON.parse(responseText) as CellarFile)
    else reject(problemOf({ status, headers: headersOf(request) }, responseText))
  }
  request.onerror = () => reject(new Unreachable(undefined))
  request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
  signal.addEventListener('abort', () => request.abort(), { once: true })
  request.open('POST', addressOf(FILES, { replace }))
  for (const [header, value] of Object.entries(writeHeaders())) request.setRequestHeader(header, value)
  request.setRequestHeader('accept', 'application/json')
  request.send(form)
  return promise
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers()
  const retryAfter = request.getResponseHeader('retry-after')
  if (retryAfter !== null) headers.set('retry-after', retryAfter)
  return headers
}
