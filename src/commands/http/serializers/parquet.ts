import { type Row, stringifyJson } from '../../../language/json.ts'
import { tooLarge } from '../../../network/body.ts'
import { CommandFailure } from '../../failure.ts'
import { rowsOf, type Serializer } from './content.ts'

const UNREADABLE: ReadonlySet<string> = new Set(['table_failed', 'table_internal'])

/** A row for each of a Parquet file; the ceiling counts them as JSON, since a repeated value takes next to no bytes. */
export const parquet: Serializer = async ({ bytes, context, maxBytes }) => {
  const rows: Row[] = []
  let size = 0
  for await (const row of rowsIn(bytes, context)) {
    size += stringifyJson(row).length
    if (size > maxBytes) throw tooLarge(maxBytes)
    rows.push(row)
  }
  return rowsOf(rows)
}

async function* rowsIn(
  bytes: Buffer,
  { readParquet }: Parameters<Serializer>[0]['context'],
): AsyncGenerator<Row> {
  try {
    yield* readParquet(bytes)
  } catch (error) {
    if (!(error instanceof CommandFailure) || !UNREADABLE.has(error.code)) throw error
    // What the table engine says names a file of ours, so it is not repeated.
    throw new CommandFailure('bad_parquet', 'The answer is not a Parquet file that can be read.', {
      hint: '--serializer binary takes it as it is.',
    })
  }
}
