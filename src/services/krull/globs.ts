/** What requests are refused for: their host, their path, or both together. */
export interface FilterGlob {
  readonly host: RegExp | undefined
  readonly path: RegExp | undefined
  /** For the browser, as a URL pattern: `*://*:*\/ads/*`. */
  readonly pattern: string
}

/** A text with `*` for anything, as a regular expression over the whole of it. */
export const globExpression = (glob: string): RegExp =>
  new RegExp(`^${glob.split('*').map(literally).join('.*')}$`, 'is')

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

/**
 * `ads.example.com` and `*.example.com` are hosts, `/ads/*` is a path on any host, `example.com/ads/*` both; a text
 * without a slash (`*.png`, `tracker.js`) is a host and also the end of a path.
 */
export function parseFilter(text: string): readonly FilterGlob[] {
  const given = text.trim().replace(/^(https?|\*):\/\//i, '')
  const slash = given.indexOf('/')
  if (slash >= 0) return [globOf(slash === 0 ? undefined : given.slice(0, slash), given.slice(slash))]
  const asPath = globOf(undefined, `/*${given.replace(/^\*+/, '')}`)
  return /^[\w*.-]+(:\d+)?$/.test(given) ? [globOf(given, undefined), asPath] : [asPath]
}

function globOf(host: string | undefined, path: string | undefined): FilterGlob {
  const [name = '*', port = '*'] = (host ?? '*').split(':')
  return {
    host: host === undefined ? undefined : globExpression(name),
    path: path === undefined ? undefined : globExpression(path),
    pattern: `*://${escapePattern(name)}:${port}${path === undefined ? '/*' : escapePattern(path)}`,
  }
}

/** One pattern that the browser cannot read would have it refuse them all. */
const escapePattern = (text: string): string => text.replaceAll(/[\\+?(){}:[\]^$|]/g, '\\$&')

/** Whether the proxy refuses it too: it sees what the browser's own filter does not (workers, sockets). */
export const isFiltered = (
  filters: readonly FilterGlob[],
  hostname: string,
  path: string | undefined,
): boolean =>
  filters.some(
    filter =>
      (filter.host === undefined || filter.host.test(hostname)) &&
      (filter.path === undefined || (path !== undefined && filter.path.test(path))),
  )
