import type { TObject, TSchema } from 'typebox'
import { storeKinds } from '../../src/stores/index.ts'
import type { StoreType } from '../../src/stores/store.ts'

/** docs/stores.md, from the declarations of the kinds. */
export const storesPage = (): string =>
  `${[INTRODUCTION, ...Object.values(storeKinds).map(kindSection)].join('\n\n')}\n`

const INTRODUCTION = `# Stores

Written by \`npm run generate\` from the files in \`src/stores\`.

A store is a place outside of Forage that rows are delivered to: by \`freeze [NAME] --store STORE\` in a query, or by \`POST /v1/mentos/streams/write\` without one. \`POST /v1/secrets/stores\` makes one:

\`\`\`json
{
  "type": "http",
  "config": {
    "store": { "name": "orders" },
    "configuration": { "url": "https://b.example/orders", "batch": 500, "throughput": 2000 },
    "processors": ["drop _html"],
    "credentials": { "bearer": "…" }
  }
}
\`\`\`

Secrets are sealed in the vault and answered as a mask; the mask sent back in an update keeps the value. \`POST …/{name}/test\` connects and says in words what is wrong. \`processors\` are stages that work on a whole table, run over the rows before they leave; the rows that go on in the query are not changed by them.

## What a delivery promises

- **Order and memory.** Rows are read from the stage's file a page at a time and leave in their order, in batches by rows (\`batch\`), bytes (\`batchBytes\`) and time (5 s), never above what the kind takes. A batch that the server calls too large is sent in halves.
- **Another try.** Only what can succeed later is tried again: the network, a server that is down or restarting, 408, 425, 429, 5xx, a row that the store itself calls retryable. The waits grow from 0.5 s to 30 s, with full jitter, and are never shorter than \`Retry-After\`. Of a batch that failed in part only the failed rows are sent again. After \`patience\` seconds (900) the delivery fails, and the query with it.
- **Dead letters.** Rows that the store refuses are added to the cellar file \`STORE dead letters\`: the row, its number, the error, the time. They are counted in the query (\`failedRows\`, and a warning), in the store and nowhere else dropped. Above the share of \`refusals\` (0.5) the delivery stops.
- **Delivery ids.** Each row has an id: \`<query id>.<stage>.<row number>\`, the same however often it is sent. Rows that come from \`diff\` have the id of the change, \`_diff.id\`, as long as \`_diff\` is still among the columns that leave and no two rows have the same (as after \`normalize\`, which makes several of one): a change that could not be delivered today is delivered tomorrow under the same id.
- **Crashes.** How far a delivery has come is written down as batches are acknowledged, at most every 25 ms. A query that is taken up after a stop goes on with the first row that is not acknowledged; after a crash the batches of those last milliseconds may be sent again, under the same ids.
- **What is told.** The store and the manifest of its name tell deliveries, rows, bytes, the last success and the last error; the query's status and the stage's \`jobs\` tell how far a delivery has come.

Every connection goes through the dialer that queries use: \`FORAGE_NETWORK\` and \`FORAGE_EXPOSED\` hold for stores too.`

function kindSection(kind: StoreType): string {
  const { configuration, credentials } = kind.schema.properties as Record<string, TObject>
  return [
    `## ${kind.type}: ${kind.title}`,
    kind.help,
    `**After a crash.** ${kind.guarantee}`,
    kind.read ? 'Rows can be read back.' : '',
    fieldTable('configuration', configuration!),
    fieldTable('credentials', credentials!),
  ]
    .filter(part => part !== '')
    .join('\n\n')
}

function fieldTable(title: string, schema: TObject): string {
  const rows = fieldRows(schema, '')
  return [`| ${title} | | |`, '|---|---|---|', ...rows].join('\n')
}

interface Field {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly default?: unknown
  readonly description?: string
  readonly writeOnly?: boolean
  readonly properties?: object
}

function fieldRows(schema: TObject, above: string): string[] {
  const required = new Set((schema as { required?: readonly string[] }).required ?? [])
  return Object.entries(schema.properties).flatMap(([name, declared]) => {
    const field = declared as TSchema & Field
    if (field.properties) return fieldRows(declared as TObject, `${above}${name}.`)
    const notes = [
      field.enum ? field.enum.map(choice => `\`${choice}\``).join(', ') : (field.type ?? ''),
      field.default === undefined ? '' : `default \`${String(field.default)}\``,
      required.has(name) && above === '' ? 'required' : '',
      field.writeOnly ? 'secret' : '',
    ].filter(note => note !== '')
    return [`| \`${above}${name}\` | ${notes.join('; ')} | ${field.description ?? ''} |`]
  })
}
