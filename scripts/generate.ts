// Writes the files that come from declarations. `npm test` fails where one is out of date.
import { readFileSync, writeFileSync } from 'node:fs'
import { pages } from './docs/pages.ts'

for (const [path, page] of Object.entries(pages)) {
  const file = new URL(`../${path}`, import.meta.url)
  if (read(file) === page()) continue
  writeFileSync(file, page())
  process.stdout.write(`wrote ${path}\n`)
}

function read(file: URL): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
