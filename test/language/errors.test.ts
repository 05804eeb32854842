import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { plan } from '../../src/language/planner.ts'
import { renderDiagnostics } from '../../src/language/render.ts'
import { COMMANDS } from './commands.ts'
import { WRONG_QUERIES } from './wrong-queries.ts'

const SNAPSHOT = new URL('errors.snap.txt', import.meta.url)

const knows = {
  store: () => new Set(['warehouse']),
  template: () => new Set(['laptops']),
  credential: () => new Set(['openai']),
  secret: () => new Set(['key', 'url']),
}

const diagnose = (query: string) => plan(query, { commands: COMMANDS, knows }).diagnostics

function rendered(): string {
  const entries = WRONG_QUERIES.map(query => {
    const shown = query.replace(/^/gm, '> ')
    return `${shown}\n\n${renderDiagnostics(query, diagnose(query))}\n`
  })
  return `${entries.join(`\n${'-'.repeat(100)}\n`)}`
}

// The messages are read by people, so a change of one is reviewed as a change of text.
// Run with UPDATE=1 to write them anew.
test('wrong queries get the messages in errors.snap.txt', () => {
  const text = rendered()
  if (process.env.UPDATE) writeFileSync(SNAPSHOT, text)
  assert.equal(text, readFileSync(SNAPSHOT, 'utf8'))
})

test('every wrong query is found wrong, at a place inside it, with a remedy', () => {
  for (const query of WRONG_QUERIES) {
    const found = diagnose(query)
    assert.ok(found.length > 0, `nothing wrong with: ${query}`)
    for (const { code, message, offset, length, line, column, hint, suggestion, expected } of found) {
      assert.match(code, /^[a-z_]+$/)
      assert.ok(message.length > 0)
      assert.ok(
        offset >= 0 && length >= 0 && offset + length <= query.length,
        `${code} lies outside: ${query}`,
      )
      const before = query.slice(0, offset).split('\n')
      assert.deepEqual([line, column], [before.length, before.at(-1)!.length + 1])
      assert.ok(hint ?? suggestion ?? expected, `${code} says no remedy: ${query}`)
    }
  }
})

test('all mistakes of a query are reported, in order', () => {
  const codes = diagnose(WRONG_QUERIES.at(-1)!).map(it => it.code)
  assert.deepEqual(codes, ['unknown_command', 'unquoted_text', 'bad_regex', 'wrong_type', 'missing_value'])
})
