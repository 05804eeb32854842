import type { CommandDeclaration, Parameter } from './declaration.ts'
import type { Source } from './escapes.ts'
import type { Message } from './messages.ts'
import * as messages from './messages.ts'
import { nearest } from './nearest.ts'
import { isRowToken, isSecretToken, isUnknownName, TOKEN_NAMES } from './tokens.ts'
import type { Token } from './values.ts'

export interface TokenPlace {
  readonly command: CommandDeclaration
  /** The parameter as messages name it: `COUNT of head`, `--by`. */
  owner(): string
  readonly parameter: Parameter
  /** No stage comes before, so there is no row. */
  readonly first: boolean
}

/** Why a token may not stand here, or undefined. */
export function refuse(token: Token, source: Source, place: TokenPlace): Message | undefined {
  const { parameter } = place
  if (isUnknownName(token)) return messages.unknownToken(token, nearest(token.path.text, TOKEN_NAMES))
  if (parameter.tokens === 'none' || parameter.type === 'stage')
    return nameInstead(token, source, place) ?? messages.noTokensHere(token, place.owner())
  const { type } = parameter
  if (type === 'javascript' || type === 'sql' || type === 'graphql') return messages.tokenInCode(token, type)
  if (isSecretToken(token)) return parameter.secret ? undefined : messages.secretRefused(token, place.owner())
  return isRowToken(token) ? refuseRow(token, source, place) : undefined
}

function refuseRow(token: Token, source: Source, place: TokenPlace): Message | undefined {
  const { command, parameter, first } = place
  const perRow =
    parameter.tokens !== 'constant' && (command.kind === 'expand' || parameter.type === 'template')
  if (!perRow)
    return messages.rowTokenRefused(token, command, place.owner(), namesColumn(token, source, parameter))
  return first ? messages.rowTokenFirst(token) : undefined
}

const nameInstead = (token: Token, source: Source, place: TokenPlace): Message | undefined =>
  token.kind === 'row' && namesColumn(token, source, place.parameter)
    ? messages.rowTokenRefused(token, place.command, place.owner(), true)
    : undefined

/** Whether the path without its dollars would be right in the token's place. */
function namesColumn(token: Token, source: Source, { type }: Parameter): boolean {
  if (type === 'path') return source.text === token.source
  return type === 'expression' || type === 'aggregates'
}
