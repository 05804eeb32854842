/** A query in the forms in which it is taken elsewhere. */

/** One word for a shell, whatever is in it. */
const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export const asCurl = (query: string, origin: string): string =>
  [
    `curl ${shellWord(`${origin}/v1/sirp/query/runner/dispatch`)}`,
    `-H "Authorization: svc $FORAGE_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${shellWord(JSON.stringify({ query }))}`,
  ].join(' \\\n  ')

export const asCommandLine = (query: string): string => `forage query ${shellWord(query)}`

/** What was run is found under its id; what was not travels in the address. */
export const asLink = (
  query: string,
  origin: string,
  ran: { id: string; query: string } | undefined,
): string =>
  ran?.query === query ? `${origin}/queries/${ran.id}` : `${origin}/?q=${encodeURIComponent(query)}`
