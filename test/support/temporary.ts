import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

/** A folder of this test file's own, removed when its tests have run. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'forage-test-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
