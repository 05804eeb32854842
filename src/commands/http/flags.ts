/** The flags that every command that sends HTTP requests takes alike. */
export const requestFlags = [
  {
    name: 'headers',
    type: 'json',
    secret: true,
    help: 'An object of headers to send: `{"X-Token": "abc"}`. A list sends the header several times, null leaves it out.',
  },
  { name: 'useragent', type: 'text', help: 'What the request says it comes from.' },
  { name: 'bearer', type: 'text', secret: true, help: 'A token, sent as `Authorization: Bearer …`.' },
  {
    name: 'basic',
    type: 'text',
    secret: true,
    help: 'A name and a password, `name:password`, sent as `Authorization: Basic …`.',
  },
] as const

const credentialFlag = <T extends string>(type: T, what: string) =>
  ({
    name: `credentials.${type}`,
    type: 'text',
    names: 'credential',
    tokens: 'none',
    help: `The name of a credential of type ${type}: ${what}.`,
  }) as const

/** The engine adds what the credential says to each request, and to the user's own address only. */
export const credentialFlags = [
  credentialFlag('oauth', 'a token is fetched when it is needed and sent as `Bearer`'),
  credentialFlag('custom', 'its value is sent as `Bearer`, or as it stands when it begins with a scheme'),
  credentialFlag('aws4', 'the request is signed with AWS Signature 4'),
  credentialFlag('splunk', 'sent as `Authorization: Splunk …`'),
  credentialFlag('openai', 'its key is sent as `Bearer`'),
  credentialFlag('pinecone', 'its key is sent as `Api-Key`'),
  credentialFlag('okta', 'sent as `Authorization: SSWS …`'),
  credentialFlag('gcp', 'a token of the service account is fetched and sent as `Bearer`'),
] as const

export const connectionFlags = [
  {
    name: 'verifySSL',
    type: 'boolean',
    default: true,
    help: 'Whether the certificate must be valid; false takes any.',
  },
  {
    name: 'redirect',
    type: 'boolean',
    default: true,
    help: 'Whether redirects are followed, at most 10 of them; false answers with the redirect itself.',
  },
  {
    name: 'proxy',
    type: 'text',
    secret: true,
    help: 'The proxy to go through: `http://`, `https://`, `socks://`, `socks4://`, `socks5://`, or `pac+https://` and the address of a PAC file.',
  },
  {
    name: 'maxBytes',
    type: 'integer',
    min: 1,
    default: 104_857_600,
    help: 'The most bytes of an answer, unpacked; a larger one fails.',
  },
] as const

export const metaFlag = {
  name: 'meta',
  type: 'boolean',
  default: false,
  help: 'Adds what the request was like: `_api.status`, `_api.url`, `_api.headers`, `_api.ms`, `_api.attempts`.',
} as const

export const pageFlags = [
  {
    name: 'pagination.next',
    type: 'path',
    wildcard: false,
    help: 'Where in the answer the pointer to the next page is.',
  },
  {
    name: 'pagination.max',
    type: 'integer',
    min: 0,
    default: 5,
    help: 'The most pages to fetch; 0 is no limit.',
  },
] as const

export const pollingFlags = [
  {
    name: 'while',
    type: 'expression',
    help: 'Asks again while this is true of the first row of the answer; `_api.status` is there too.',
  },
  {
    name: 'while.delay',
    type: 'number',
    min: 0,
    max: 3600,
    default: 1,
    help: 'Seconds to wait before asking again.',
  },
  { name: 'while.max', type: 'integer', min: 1, default: 60, help: 'How often it is asked again at most.' },
] as const
