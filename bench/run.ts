// `npm run bench`: runs the parts whose names are given, or all of them, one after the other.
import { deliveries } from './deliveries.ts'
import { dispatch } from './dispatch.ts'
import { fanout } from './fanout.ts'
import { type Subject, table } from './figure.ts'
import { pages } from './krull.ts'
import { parsing } from './parse.ts'
import { start } from './start.ts'
import { tables } from './tables.ts'

const subjects: Readonly<Record<string, Subject>> = {
  parse: parsing,
  dispatch,
  fanout,
  tables,
  deliveries,
  pages,
  start,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => !(name in subjects))
if (unknown.length > 0) {
  process.stderr.write(
    `There is no part ${unknown.join(', ')}; there are: ${Object.keys(subjects).join(', ')}.\n`,
  )
  process.exit(2)
}

for (const [name, measure] of Object.entries(subjects)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stdout.write(`\n${name}\n`)
  process.stdout.write(table(await measure()))
}
