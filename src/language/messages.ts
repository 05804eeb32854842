/** Every text that the language says of a query, each once with its code; written for a person who is annoyed. */
export * from './messages/arguments.ts'
export * from './messages/contents.ts'
export type { Message } from './messages/message.ts'
export * from './messages/tokens.ts'
export * from './messages/values.ts'
export * from './messages/words.ts'
