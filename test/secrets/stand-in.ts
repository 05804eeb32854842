import { text } from 'node:stream/consumers'
import { json, type Target, target } from '../support/target.ts'

/** A service that asks for tokens, gives some out, and repeats what it was sent: in answers, in errors, in redirects. */
export interface StandIn extends Target {
  /** The forms that came to the token endpoint. */
  readonly asked: URLSearchParams[]
  /** The bodies that came to `/echo`. */
  readonly bodies: string[]
  /** What the token endpoint answers. */
  answer: (form: URLSearchParams) => { readonly status?: number; readonly body: object }
}

export async function standIn(): Promise<StandIn> {
  const asked: URLSearchParams[] = []
  const bodies: string[] = []
  const made = await target(async (request, response) => {
    const url = new URL(request.url!, 'http://stand-in')
    const body = await text(request)
    if (url.pathname === '/token') {
      asked.push(new URLSearchParams(body))
      const { status = 200, body: answer } = service.answer(asked.at(-1)!)
      return json(response, answer, status)
    }
    const seen = { path: request.url, headers: request.headers, body }
    bodies.push(body)
    if (url.pathname === '/fail') return json(response, seen, 500)
    if (url.pathname === '/redirect') {
      response.writeHead(307, { location: url.searchParams.get('to')! }).end()
      return
    }
    return json(response, seen)
  })
  const service: StandIn = Object.assign(made, {
    asked,
    bodies,
    answer: () => ({ body: { access_token: 'none' } }) as { status?: number; body: object },
  })
  return service
}
