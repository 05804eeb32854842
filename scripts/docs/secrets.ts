import {
  type CredentialField,
  type CredentialType,
  credentialTypeNames,
} from '../../src/credentials/credential-type.ts'
import { oauthProviders } from '../../src/credentials/oauth-providers.ts'
import { credentialTypes } from '../../src/credentials/types.ts'

/** docs/secrets.md: how secrets are kept and used, with the fields of every credential type. */
export const secretsPage = (): string =>
  [intro, keysAndUsers, queries, types(), oauth(), small, licenses].join('\n\n').concat('\n')

const intro = `<!-- Written by \`npm run generate\` from scripts/docs/secrets.ts and src/credentials/. Do not edit. -->

# Secrets

## How they are kept

Every secret value is sealed by itself: AES-256-GCM with a nonce of its own, and the type and name of what it belongs to bound to it, so that a sealed text that is moved to another place does not open. The key comes from \`FORAGE_MASTER_KEY\`, or from the file \`master.key\` that the first start makes in the data folder, readable by its owner alone. A wrong key is noticed at the start. **Without the key the secrets are lost**: keep a copy of it apart from copies of the data folder.

\`forage vault rotate\` seals everything under a new key while Forage is stopped. The new key is on the disk before anything changes, and everything changes in one step; after a crash every secret opens under one of the two keys, and the next start knows which.

Answers show \`********\` in the place of a secret. An update that sends the mask back keeps the value; a mask that stands for nothing is refused. Records carry an \`ETag\`: with \`If-Match\` an update that would overwrite somebody else's is answered 412.`

const keysAndUsers = `## API keys, users, sessions

An API key is 256 random bits, shown once; only its SHA-256 is kept. The last key cannot be deleted while there is no user, and the last user not while there is no key.

Passwords are hashed with argon2id (19 MiB, two passes), two at a time. An unknown user and a wrong password get the same answer after the same work. From the fifth failure in a row on, a name has to wait 1, 2, 4 … up to 60 seconds, whether there is such a user or not (429 with \`Retry-After\`).

The web application signs in with \`POST /session\` (\`{ username, password }\`, or \`{ token }\` of a one-time link) and gets a cookie: HttpOnly, SameSite=Strict, with the prefix \`__Host-\` under TLS (a reverse proxy says so with \`X-Forwarded-Proto\`). \`GET /session\` tells who is signed in, and the CSRF token, which every request that changes something sends as \`X-CSRF-Token\`, from a page of the same origin. \`POST /session/first-user\` makes the first user for whoever came by a link. A session ends with \`DELETE /session\`, after \`FORAGE_SESSION_MINUTES\` without a request, after 30 days, and when the password changes.`

const queries = `## In queries

| written | becomes |
|---|---|
| \`--credentials.TYPE NAME\` on \`api\` and \`graphql\` | what the type says below, added to each request |
| \`--credential NAME\` on \`prompt\` | the same, and the address of an \`openai\` credential |
| \`$CREDENTIALS.name$\` | the value of a custom credential, the token or key of a type with one, the current token of \`oauth\` and \`gcp\` |
| \`$SECRETS.name$\` | a secret of type custom |
| \`oauth --credential NAME\`, \`auth --credential NAME\` | a row with \`token.access_token\` and more, the secret as a handle |

Secret tokens, and the handles of \`oauth\` and \`auth\`, become the secret only where a request takes one: the path and query of an address, headers, data, form, bearer, basic, cookies, \`--fill\`, and the password of a \`--proxy\`. A name that does not exist is an error before anything runs. \`|url\` and \`|json\` write a secret percent-encoded or inside a JSON text.

A credential that names \`hosts\` is sent to those and to no other; a host is \`api.b.com\`, or \`*.b.com\` for all below it. On the way to another host a redirect loses the headers that hold secrets, and a body that holds one is not sent on. An address that came in an answer gets no credential.

Nobody sees them again: plans, command records, tables, logs and errors hold the token or the handle, and cache keys the version of the credential. What a server repeats of a secret of six characters or more is replaced by \`[hidden]\` before it becomes a row.`

function types(): string {
  const sections = credentialTypeNames.map(name => section(credentialTypes[name]))
  return `## Credential types

\`\`\`json
{
  "type": "aws4",
  "config": {
    "credential": { "name": "storage", "hosts": ["*.amazonaws.com"] },
    "credentials": { "aws4": { "accessKeyId": "…", "secretAccessKey": "…" } }
  }
}
\`\`\`

Names have 1 to 1000 characters, values 1 to 100000. \`GET /v1/secrets/credential-schemas\` has the same as schemas for forms.

${sections.join('\n\n')}`
}

const section = ({ type, title, help, fields }: CredentialType): string =>
  `### ${type}: ${title}\n\n${help}\n\n| field | needs | meaning |\n|---|---|---|\n${fields.map(row).join('\n')}`

function row({ name, required, secret, help, choices, default: fallback }: CredentialField): string {
  const marks = [required && 'required', secret && 'secret'].filter(Boolean).join(', ')
  const few = choices && choices.length < 6 ? `: ${choices.map(code).join(', ')}` : ''
  return `| ${code(name)} | ${marks} | ${help}${few}${fallback === undefined ? '' : ` (${code(fallback)})`} |`
}

const code = (text: string): string => `\`${text}\``

const oauth = (): string => `## OAuth

Tokens are fetched when they are needed, by the same client and under the same domain policies as every other request, once however many rows ask; they are kept sealed and renewed a minute before they end (or in the last tenth of a shorter life), by a refresh token where there is one.

\`authorization_code\` needs a person: whoever is signed in begins with \`POST /session/oauth\` (\`{ credential }\`), is led to the provider and back to \`/oauth/callback\`, which is the redirect address to register there. It works once, within 10 minutes, in the browser that began it (PKCE with S256).

A change of the credential drops its token. The providers below are known by name; any other works by its addresses.

| provider | grants | token address |
|---|---|---|
${oauthProviders.map(item => `| ${code(item.provider)} | ${item.grantTypes.join(', ')} | ${item.tokenUrl} |`).join('\n')}`

const small = `## Checkpoints and prompts

Texts under a name (1 to 1000 characters), of 1 to 10000 characters. \`$PROMPTS.name$\` and \`$CHECKPOINTS.name$\` stand for them; a checkpoint that is not set yet is null in an expression and empty elsewhere. \`--checkpoint "name:path"\` on any stage saves a value of its first row (\`--checkpoint.pick first|last|max|min\`, one for all checkpoints of the stage) together with the end of a query that completes; an empty value, a failed row (without \`--errors true\`) and a query that fails change nothing. Values of more than 10000 characters are not saved, which the query's warnings say.

## Secrets by themselves

\`POST /v1/secrets/secrets\` and \`POST /v1/secrets/vault\` do the same. Names are unique for each type, and whatever its type says, a secret is never another resource. \`DELETE /v1/secrets/secrets/{name}\` takes \`?type=\`, custom unless given.`

const licenses = `## Licenses

The community license covers every service and needs nothing. \`forage license key license.pem\` makes a pair of Ed25519 keys and prints the public one, for \`FORAGE_LICENSE_KEY\`; \`forage license sign license.pem --holder "Example Ltd" --expires 2027-12-31\` prints a license. It is added with \`POST /v1/licorice/licenses\` (\`{ licenseKey: { value } }\`) or uploaded as a file. One that is damaged, foreign (another key), forged or expired is refused with that reason; a service that no license covers stays with the community license.`
