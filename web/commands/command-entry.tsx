import { Badge, Button, Code, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { Link } from 'wouter'
import type { CommandDeclaration, Example, Parameter } from '../../src/language/declaration.ts'
import { stringifyJson } from '../../src/language/json.ts'
import { flagsOf } from '../../src/language/universal.ts'
import { parameterName, typeName, usage } from '../../src/language/wording.ts'
import { blocksOf } from '../editor/help-text.ts'
import { Help, Pieces } from './help.tsx'
import { runnable } from './runnable.ts'
import { Terms } from './terms.tsx'

const kinds = {
  source: 'makes rows, whatever came before',
  expand: 'runs once for every row',
  reduce: 'works on the whole table',
} as const

/** Everything about a command. */
export function CommandEntry({ command }: { readonly command: CommandDeclaration }) {
  const own = new Set(command.flags?.map(({ name }) => name))
  const general = flagsOf(command).filter(({ name }) => !own.has(name))
  return (
    <Stack gap="sm">
      <Group gap="xs">
        <Code fz="sm">{usage(command)}</Code>
        <Badge variant="light" color="gray" tt="none">
          {kinds[command.kind]}
        </Badge>
        {command.aliases?.map(alias => (
          <Badge key={alias} variant="outline" tt="none">
            also {alias}
          </Badge>
        ))}
      </Group>
      {command.help && <Help text={command.help} />}
      <Parameters title="Arguments" parameters={command.arguments} nameOf={argumentName} />
      <Parameters title="Flags" parameters={command.flags ?? []} nameOf={flagName} />
      {command.examples.length > 0 && (
        <Stack gap="xs">
          <Title order={3} size="h6">
            Examples
          </Title>
          {command.examples.map(example => (
            <ExampleEntry key={example.query} example={example} />
          ))}
        </Stack>
      )}
      <Parameters title="Flags of every such command" parameters={general} nameOf={flagName} />
    </Stack>
  )
}

const argumentName = (parameter: Parameter): string => {
  const name = parameterName(parameter) + (parameter.repeated ? '…' : '')
  return parameter.optional ? `[${name}]` : name
}
const flagName = ({ name }: Parameter): string => `--${name}`

function Parameters({
  title,
  parameters,
  nameOf,
}: {
  readonly title: string
  readonly parameters: readonly Parameter[]
  readonly nameOf: (parameter: Parameter) => string
}) {
  if (parameters.length === 0) return null
  return (
    <Stack gap={4}>
      <Title order={3} size="h6">
        {title}
      </Title>
      <Terms
        terms={parameters.map(parameter => ({
          name: nameOf(parameter),
          meaning: (
            <>
              <Inline text={parameter.help} />{' '}
              <Text span size="sm" c="dimmed">
                {detailOf(parameter)}
              </Text>
            </>
          ),
        }))}
      />
    </Stack>
  )
}

const Inline = ({ text }: { readonly text: string }) => (
  <Pieces pieces={blocksOf(text).flatMap(block => ('pieces' in block ? block.pieces : []))} />
)

function detailOf(parameter: Parameter): string {
  const details = [`Takes ${typeName(parameter)}.`]
  if (parameter.default !== undefined) details.push(`By default ${stringifyJson(parameter.default)}.`)
  return details.join(' ')
}

function ExampleEntry({ example }: { readonly example: Example }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="xs">
      <Stack gap={2} flex={1} miw={0}>
        {example.title && <Text size="sm">{example.title}</Text>}
        <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {example.query}
        </Code>
      </Stack>
      <Button
        component={Link}
        href={`/?q=${encodeURIComponent(runnable(example))}`}
        size="compact-sm"
        variant="light"
        leftSection={<IconPlayerPlay size={14} />}
        aria-label={`Try: ${example.title ?? example.query}`}
      >
        Try
      </Button>
    </Group>
  )
}
