import { CommandFailure } from '../failure.ts'

export const credentialFlag = {
  name: 'credential',
  type: 'text',
  names: 'credential',
  tokens: 'none',
  help: 'The name of the credential.',
} as const

/** The name that a command cannot do without. */
export function needed(credential: string | undefined, command: string): string {
  if (credential !== undefined) return credential
  throw new CommandFailure('no_credential', `${command} needs --credential and the name of one.`)
}
