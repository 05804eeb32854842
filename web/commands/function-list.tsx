import { Stack, Title } from '@mantine/core'
import { AGGREGATES } from '../../src/language/expression/aggregates.ts'
import { FUNCTIONS, usageOf } from '../../src/language/expression/functions.ts'
import { Terms } from './terms.tsx'

interface Entry {
  readonly name: string
  readonly usage: string
  readonly summary: string
}

const functions: readonly Entry[] = FUNCTIONS.map(it => ({
  name: it.name,
  usage: usageOf(it),
  summary: it.summary,
}))
const aggregates: readonly Entry[] = AGGREGATES.map(({ name, argument, summary }) => ({
  name,
  usage: argument === 'optional' ? `${name}([value])` : `${name}(value)`,
  summary,
}))

/** What expressions and `stats` can compute. */
export function FunctionLists({
  isWanted,
}: {
  readonly isWanted: (name: string, summary: string) => boolean
}) {
  return (
    <>
      <FunctionList
        title="Functions of expressions"
        entries={functions.filter(({ name, summary }) => isWanted(name, summary))}
      />
      <FunctionList
        title="Aggregates of stats, timechart and pivot"
        entries={aggregates.filter(({ name, summary }) => isWanted(name, summary))}
      />
    </>
  )
}

function FunctionList({ title, entries }: { readonly title: string; readonly entries: readonly Entry[] }) {
  if (entries.length === 0) return null
  return (
    <Stack gap={4} component="section">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Terms terms={entries.map(({ usage, summary }) => ({ name: usage, meaning: `${summary}.` }))} />
    </Stack>
  )
}
