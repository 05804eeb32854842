import { Code, Stack, Text } from '@mantine/core'
import { type Json, stringifyJson } from '../../src/language/json.ts'
import { Problem } from '../api/problem.ts'
import type { Plan } from '../api/types.ts'

/** The stages as they would run, with the values in them. */
export function PlanPreview({ plan, error }: { readonly plan: Plan | undefined; readonly error: unknown }) {
  const text = plan?.stages.map(stageText).join('\n|| ')
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        What will run
      </Text>
      <Code
        block
        mah={220}
        tabIndex={0}
        aria-label="What will run"
        role="region"
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {error instanceof Problem ? 'One of the values does not fit.' : (text ?? '…')}
      </Code>
    </Stack>
  )
}

function stageText({ command: { command, args, flags } }: Plan['stages'][number]): string {
  const given = args.map(parts => quoted(parts.join('')))
  const named = Object.entries(flags).map(([name, value]) =>
    value === true
      ? `--${name}`
      : `--${name} ${typeof value === 'string' ? quoted(value) : stringifyJson(value as Json)}`,
  )
  return [command, ...given, ...named].join(' ')
}

const quoted = (text: string): string => (/^[^\s"|]+$/.test(text) ? text : stringifyJson(text))
