/** A numbered step: plain SQL that SQLite and PostgreSQL both take. */
export interface Migration {
  readonly name: string
  readonly statements: readonly string[]
}
