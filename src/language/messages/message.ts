import type { Diagnostic } from '../diagnostics.ts'

/** A diagnostic without its place. */
export type Message = Omit<Diagnostic, 'line' | 'column' | 'offset' | 'length'>
