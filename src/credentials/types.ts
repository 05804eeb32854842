import { aws4 } from './aws4.ts'
import type { CredentialType, CredentialTypeName } from './credential-type.ts'
import { custom } from './custom.ts'
import { gcp } from './gcp.ts'
import { oauth } from './oauth.ts'
import { okta } from './okta.ts'
import { openai } from './openai.ts'
import { pinecone } from './pinecone.ts'
import { splunk } from './splunk.ts'

/** Every type of credential. Adding one is adding a file and a word here. */
export const credentialTypes: Readonly<Record<CredentialTypeName, CredentialType>> = {
  oauth,
  custom,
  aws4,
  splunk,
  openai,
  pinecone,
  okta,
  gcp,
}
