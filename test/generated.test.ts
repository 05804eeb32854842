import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, it } from 'node:test'
import { pages } from '../scripts/docs/pages.ts'
import { commands } from '../src/commands/index.ts'

const root = new URL('..', import.meta.url)

describe('generated files', () => {
  for (const [path, page] of Object.entries(pages))
    it(`${path} is up to date (npm run generate)`, () => {
      assert.equal(readFileSync(new URL(path, root), 'utf8'), page())
    })

  it('src/commands/index.ts lists every command', () => {
    const files = globSync('src/commands/*.ts', { cwd: root })
      .filter(file => readFileSync(new URL(file, root), 'utf8').includes('\nexport default '))
      .map(file => basename(file, '.ts'))
    assert.equal(commands.length, files.length)
  })
})
