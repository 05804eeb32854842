import type { Json, Row } from '../../../language/json.ts'
import type { Headers } from '../../../network/redirect.ts'
import type { WholeResponse } from '../../../network/whole-response.ts'
import { CommandFailure } from '../../failure.ts'
import { decodeText } from '../charset.ts'
import type { HttpContext } from '../context.ts'
import { metaOf } from '../meta.ts'
import { type ConnectionFlags, connectionOf, headersOf, secretsIn } from '../request.ts'
import { refusedStatus } from '../status.ts'
import { envelopeOf } from './envelope.ts'
import { wsdlAt } from './load.ts'
import { bodyOf, faultIn, resultOf } from './result.ts'
import type { Operation, Wsdl } from './wsdl.ts'

interface SoapFlags extends ConnectionFlags {
  readonly wsdl: string | undefined
  readonly method: string | undefined
  readonly port: string | undefined
  readonly endpoint: string | undefined
  readonly headers: Json | undefined
  readonly useragent: string | undefined
  readonly 'security.bearer': string | undefined
  readonly 'security.basic': string | undefined
  readonly meta: boolean
}

export interface SoapContext extends HttpContext {
  readonly args: { readonly body: Json }
  readonly flags: SoapFlags
  readonly queryId: string
}

/** What `soap` does for one row. */
export class SoapJob {
  readonly #context: SoapContext
  readonly #flags: SoapFlags
  readonly #headers: Headers

  constructor(context: SoapContext) {
    const { flags } = context
    this.#context = context
    this.#flags = flags
    this.#headers = headersOf({
      headers: flags.headers,
      useragent: flags.useragent,
      bearer: flags['security.bearer'],
      basic: flags['security.basic'],
    })
  }

  async *rows(): AsyncGenerator<Row> {
    const { method, port } = this.#flags
    const wsdlUrl = this.#wsdlUrl()
    if (method === undefined)
      throw new CommandFailure('soap_no_method', 'soap needs the method to call.', {
        hint: 'Add --method NAME.',
      })
    const { queryId } = this.#context
    const connection = connectionOf(this.#flags)
    const wsdl = await wsdlAt({ url: wsdlUrl, queryId, connection, headers: this.#headers }, this.#context)
    const operation = wsdl.operation(method, port)
    yield await this.#call(operation, wsdl, this.#endpoint(operation, wsdlUrl))
  }

  #wsdlUrl(): URL {
    const { wsdl } = this.#flags
    if (wsdl !== undefined) return new URL(wsdl)
    throw new CommandFailure('soap_no_wsdl', 'soap needs the description of the service.', {
      hint: 'Add --wsdl and its address, often that of the service with ?wsdl behind it.',
    })
  }

  /** A description on one host may not send what is meant for it to another, unless the user names that one. */
  #endpoint({ endpoint, name }: Operation, wsdlUrl: URL): URL {
    if (this.#flags.endpoint !== undefined) return new URL(this.#flags.endpoint)
    if (endpoint === undefined || !URL.canParse(endpoint, wsdlUrl.href))
      throw new CommandFailure('soap_no_endpoint', `The WSDL does not say where ${name} is called.`, {
        hint: 'Add --endpoint and the address of the service.',
      })
    const url = new URL(endpoint, wsdlUrl)
    if (url.hostname === wsdlUrl.hostname || secretsIn(this.#headers).length === 0) return url
    throw new CommandFailure(
      'soap_foreign_endpoint',
      `The WSDL sends calls to another host, ${url.host}, which would get the headers and credentials.`,
      { hint: `If that is right, say so: --endpoint ${url.href}` },
    )
  }

  async #call(operation: Operation, wsdl: Wsdl, url: URL): Promise<Row> {
    const before = this.#context.attempts
    const response = await this.#context.fetch({
      ...connectionOf(this.#flags),
      url,
      method: 'POST',
      fromData: this.#flags.endpoint === undefined,
      body: envelopeOf(this.#context.args.body, operation, wsdl.schemas),
      headers: { ...headersFor(operation), 'idempotency-key': this.#context.jobId, ...this.#headers },
      secretHeaders: secretsIn(this.#headers),
    })
    const row = resultOf(bodyIn(response), operation, wsdl.schemas)
    const attempts = this.#context.attempts - before
    return this.#flags.meta ? { ...row, _api: metaOf({ response, attempts }) } : row
  }
}

const headersFor = ({ version, action }: Operation): Headers =>
  version === '1.1'
    ? { accept: 'text/xml', 'content-type': 'text/xml; charset=utf-8', soapaction: `"${action}"` }
    : {
        accept: 'application/soap+xml',
        'content-type': `application/soap+xml; charset=utf-8${action === '' ? '' : `; action="${action}"`}`,
      }

function bodyIn(response: WholeResponse) {
  const type = response.header('content-type') ?? ''
  const isOk = response.status >= 200 && response.status <= 299
  const body = /xml/.test(type) || isOk ? bodyOf(decodeText(response.bytes, type)) : undefined
  const fault = body && faultIn(body)
  if (fault) throw fault
  if (!isOk) throw refusedStatus(response)
  if (!body) throw new CommandFailure('not_soap', 'The answer is XML, but no SOAP envelope.')
  return body
}
