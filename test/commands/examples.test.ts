import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { commandsPage } from '../../scripts/docs/commands.ts'
import { commands } from '../../src/commands/index.ts'
import { Harness } from './harness.ts'

const harness = new Harness(commands)
before(() => harness.open())
after(() => harness.close())

for (const command of commands) {
  // What needs a network or a browser is run with one, elsewhere.
  if (command.kind === 'expand' || ['devices', 'webhook'].includes(command.name)) continue
  for (const [index, example] of command.examples.entries()) {
    test(`${command.name} ${index + 1}: ${example.title ?? example.query}`, async () => {
      const { rows, columns } = await harness.run(example.query, example.input)
      if (!example.output) return assert.deepEqual(columns, example.columns)
      assert.deepEqual(rows, example.output)
      assert.deepEqual(rows.map(Object.keys), example.output.map(Object.keys), 'the order of the columns')
    })
  }
}

test('every command has two examples or more', () => {
  const few = commands.filter(command => command.examples.length < 2).map(command => command.name)
  assert.deepEqual(few, [])
})

test('names and aliases are unique, whatever their letter case', () => {
  const names = commands.flatMap(command => [command.name, ...(command.aliases ?? [])])
  const twice = names.filter((name, index) =>
    names.slice(0, index).some(other => other.toLowerCase() === name.toLowerCase()),
  )
  assert.deepEqual(twice, [])
})

test('docs/commands.md is what the declarations say (npm run generate)', () => {
  const page = new URL('../../docs/commands.md', import.meta.url)
  assert.equal(readFileSync(page, 'utf8'), commandsPage())
})
