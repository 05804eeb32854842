import type { WholeResponse } from '../../network/whole-response.ts'
import { CommandFailure } from '../failure.ts'
import { decodeText } from './charset.ts'

export type Accepts = (status: number) => boolean

/** Reads `200-299,404`. */
export function parseAccept(text: string): Accepts {
  const ranges = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(range => {
      const [, from, to = from] = /^([1-5]\d\d)(?:-([1-5]\d\d))?$/.exec(range) ?? []
      if (from === undefined || Number(to) < Number(from))
        throw new CommandFailure(
          'bad_accept',
          `--accept takes statuses and ranges of them, not "${range}".`,
          {
            hint: 'Write it like "200-299,404".',
          },
        )
      return [Number(from), Number(to)] as const
    })
  return status => ranges.some(([from, to]) => status >= from && status <= to)
}

const EXCERPT = 200

/** An answer that is no result, with the beginning of what it says. */
export function refusedStatus(response: WholeResponse, what = 'The answer'): CommandFailure {
  const says = excerpt(response)
  return new CommandFailure('http_status', `${what} has status ${response.status}${says && `: ${says}`}`)
}

function excerpt(response: WholeResponse): string {
  const type = response.header('content-type') ?? ''
  if (!/json|text|xml|html|^$/.test(type)) return ''
  const beginning = response.bytes.subarray(0, 4 * EXCERPT)
  const text = decodeText(beginning, type)
    .replace(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/html/.test(type) ? /<[^>]*>/g : /$^/, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT - 1)}…` : text
}
