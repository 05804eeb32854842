import { isIP } from 'node:net'
import { resolve } from 'node:path'

type Reading<T> = { readonly value: T } | { readonly expected: string }
interface KindOf<T> {
  /** What docs and `forage config` call it. */
  readonly label: string
  /** Reads what the environment (text) or the configuration file (JSON) gives. */
  read(given: unknown): Reading<T>
}

const integer = (label: string, least: number, most: number, expected: string): KindOf<number> => ({
  label,
  read: given => {
    const number = typeof given === 'string' && /^\d+$/.test(given.trim()) ? Number(given) : given
    return typeof number === 'number' && Number.isSafeInteger(number) && number >= least && number <= most
      ? { value: number }
      : { expected }
  },
})

const text = <T extends string>(
  label: string,
  expected: string,
  accept: (text: string) => boolean,
  transform: (text: string) => string = same => same,
): KindOf<T> => ({
  label,
  read: given =>
    typeof given === 'string' && accept(given) ? { value: transform(given) as T } : { expected },
})

const list = (
  label: string,
  expected: string,
  accept: (item: string) => boolean,
): KindOf<readonly string[]> => ({
  label,
  read: given => {
    const items: unknown = typeof given === 'string' ? given.split(',').map(item => item.trim()) : given
    return Array.isArray(items) && items.every(item => typeof item === 'string' && accept(item))
      ? { value: items }
      : { expected }
  },
})

const boolean: KindOf<boolean> = {
  label: 'true or false',
  read: given => {
    if (typeof given === 'boolean') return { value: given }
    if (given === 'true' || given === '1') return { value: true }
    if (given === 'false' || given === '0') return { value: false }
    return { expected: 'true or false' }
  },
}

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
const steps = ['dependencies', 'browser', 'commands', 'bundle', 'all']

function isCidr(text: string): boolean {
  const [address = '', bits, rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest !== undefined) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

export const isKey256 = (text: string): boolean =>
  /^[0-9a-f]{64}$/i.test(text) || /^[A-Za-z0-9+/_-]{43}=?$/.test(text)

export const kinds = {
  text: text('text', 'text that is not empty', given => given.trim() !== ''),
  path: text(
    'path',
    'a path',
    given => given !== '' && !given.includes('\0'),
    path => resolve(path),
  ),
  url: text('address', 'an address such as http://127.0.0.1:1968', given => /^https?:\/\/[^/\s]/.test(given)),
  boolean,
  port: integer('port', 0, 65_535, 'a port from 0 to 65535'),
  count: integer('integer', 0, Number.MAX_SAFE_INTEGER, 'a whole number, 0 or more'),
  positive: integer('integer', 1, Number.MAX_SAFE_INTEGER, 'a whole number, 1 or more'),
  list: list('list', 'names separated by commas', item => item !== ''),
  cidrs: list('list', 'CIDR blocks such as 10.0.0.0/8, separated by commas', isCidr),
  setupSteps: list('list', `some of ${steps.join(', ')}, separated by commas`, item => steps.includes(item)),
  logLevel: text<(typeof levels)[number]>('level', `one of ${levels.join(', ')}`, given =>
    (levels as readonly string[]).includes(given),
  ),
  apiKey: text('key', '1 to 1000 printable ASCII characters without spaces', given =>
    /^[\x21-\x7e]{1,1000}$/.test(given),
  ),
  key256: text('key', '32 bytes in hexadecimal (64 characters) or base64 (43 or 44)', isKey256),
} satisfies Record<string, KindOf<unknown>>

export type Kind = keyof typeof kinds
export type ValueOfKind<K extends Kind> = (typeof kinds)[K] extends KindOf<infer T> ? T : never
