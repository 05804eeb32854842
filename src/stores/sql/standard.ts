/** What PostgreSQL and SQLite write alike. */

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** The end of an INSERT: what becomes of a row whose key is there already. */
export function onConflict(key: readonly string[], updated: readonly string[]): string {
  const list = key.map(quote).join(', ')
  const set = updated.map(column => `${quote(column)} = excluded.${quote(column)}`).join(', ')
  return ` ON CONFLICT (${list}) DO ${set === '' ? 'NOTHING' : `UPDATE SET ${set}`}`
}
