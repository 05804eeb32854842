import type { CommandDeclaration } from '../declaration.ts'
import { isRowToken } from '../tokens.ts'
import type { Token } from '../values.ts'
import type { Message } from './message.ts'

// Tokens where they may not stand.

export const unknownToken = (token: Token, near: string | undefined): Message => {
  const [, first, rest] = /^(\w+)\.?(.*)$/.exec(token.path.text) ?? []
  return {
    code: 'unknown_token',
    message: `${token.source} is none of the tokens there are.`,
    hint:
      first === 'ROW' && rest
        ? `A value of the row is written $${rest}$`
        : near
          ? `Did you mean $${near}$?`
          : `Names in capitals are taken. A column of that name is written $\`${first}\`$`,
    ...(first === 'ROW' && rest
      ? { suggestion: `$${rest}$` }
      : near && !near.endsWith('.name')
        ? { suggestion: `$${near}$` }
        : {}),
  }
}

export const noTokensHere = (token: Token, owner: string): Message => ({
  code: 'token_refused',
  message: `${owner} takes no tokens, and ${token.source} is one.`,
  hint: `Write the value itself. For the text as it stands, write the dollar as \\$`,
})

export const tokenInFence = (token: Token): Message => ({
  code: 'token_refused',
  message: `A fence holds no tokens, and ${token.source} would be one.`,
  hint: 'Put the expression into quotes instead.',
})

const CODE_REMEDY: Readonly<Record<string, string>> = {
  javascript: 'Pass the value by --args',
  sql: 'Name the column in the SQL',
  graphql: 'Pass the value by --variables',
}

export const tokenInCode = (token: Token, type: 'javascript' | 'sql' | 'graphql'): Message => ({
  code: 'token_refused',
  message: `Tokens are not filled into ${{ javascript: 'JavaScript', sql: 'SQL', graphql: 'GraphQL' }[type]}, because a value could then become code.`,
  hint: `${CODE_REMEDY[type]}. If ${token.source} is meant as it stands, write its first dollar as \\$`,
})

export const rowTokenRefused = (
  token: Token,
  command: CommandDeclaration,
  owner: string,
  nameItself: boolean,
): Message => ({
  code: 'row_token_refused',
  message: `${whyNoRow(command, owner)}, so there is no single row for ${token.source}.`,
  hint: rowTokenHint(token, command, owner, nameItself),
  ...(nameItself && token.kind === 'row' && command.kind !== 'expand' && { suggestion: token.path.text }),
})

function whyNoRow({ kind, name }: CommandDeclaration, owner: string): string {
  if (kind === 'source') return `${name} makes rows of its own`
  return kind === 'reduce' ? `${name} works on the whole table at once` : `${owner} is the same for every row`
}

function rowTokenHint(
  token: Token,
  { kind }: CommandDeclaration,
  owner: string,
  nameItself: boolean,
): string {
  const path = token.path.text
  if (token.kind !== 'row' || kind === 'source')
    return 'Row tokens work in commands that run once for every row, and in addcolumn, fill and merge.'
  if (kind === 'expand')
    return `${owner} looks at the rows that come out. With --enrich they carry the columns they were made from, and ${path} is just ${path}.`
  return nameItself
    ? `Name the column without dollars: ${path}`
    : `In an expression (filter, eval, --where) the column is just ${path}, without dollars.`
}

export const rowTokenFirst = (token: Token): Message => ({
  code: 'row_token_refused',
  message: `${token.source} takes its value from a row, but no stage comes before this one.`,
  hint: `Put a stage that makes rows in front. If ${token.source} is meant as it stands, write its first dollar as \\$`,
})

export const secretRefused = (token: Token, owner: string): Message => ({
  code: 'secret_refused',
  message: `${owner} may not hold a secret, and ${token.source} is one.`,
  hint: 'Secrets go only into what a request sends: the path and query of its URL, headers, data, form, bearer, basic, cookies, --fill.',
})

export const secretAsUrl = (token: Token): Message => ({
  code: 'secret_refused',
  message: `${token.source} is a secret, and a secret may not choose the host of a URL.`,
  hint: 'Write the scheme and the host, and the token after them: https://api.example/$SECRETS.key$',
})

export const tokenInHost = (token: Token): Message => ({
  code: 'token_in_host',
  message: `${token.source} could change the host of this URL.`,
  hint: isRowToken(token)
    ? `Write the host and a / before the first token; or make the whole URL in a column first and give just that: $url$`
    : 'Write the host and a / before the first token, or make the token the whole URL.',
})
