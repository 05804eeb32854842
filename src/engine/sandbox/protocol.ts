import type { Column } from '../../sql/relation.ts'

/** A table that a user's SELECT may read, by the name it has there. */
export interface SandboxTable {
  readonly name: string
  readonly file: string
  readonly columns: readonly Column[]
}

/** What the parent asks of a child, once in its life. */
export interface SandboxRequest {
  readonly text: string
  readonly tables: readonly SandboxTable[]
  /** Files the child may write: the result, and a draft of it where the types have to be looked at first. */
  readonly out: string
  readonly draft: string
  readonly spill: string
}

export type SandboxAnswer =
  | { readonly ok: true; readonly columns: readonly Column[]; readonly rows: number }
  | {
      readonly ok: false
      readonly code: string
      readonly message: string
      readonly hint?: string | undefined
    }
