/** ISO 8601 in UTC, as `Date.toISOString` writes it: sorts as text. */
export type Time = string
/** JSON text; `JSON.parse` gives the value. */
export type JsonText = string
export type Flag = 0 | 1
