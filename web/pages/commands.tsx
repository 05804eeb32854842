import { Accordion, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { CommandDeclaration } from '../../src/language/declaration.ts'
import { CommandEntry } from '../commands/command-entry.tsx'
import { FunctionLists } from '../commands/function-list.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { Empty, Loaded } from '../components/states.tsx'
import { commandsQuery } from '../query/use-commands.ts'

const groups: readonly (readonly [CommandDeclaration['group'], string])[] = [
  ['get', 'Getting data'],
  ['rows', 'Rows'],
  ['columns', 'Columns'],
  ['groups', 'Groups, several tables, change'],
  ['send', 'Sending'],
]

/** The reference of the language. */
export default function CommandsPage() {
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim().toLowerCase(), 150)
  const isWanted = (...texts: string[]) => texts.some(text => text.toLowerCase().includes(settled))
  return (
    <>
      <PageHeader
        title="Commands"
        about="What a query is made of. Stages are joined by ||; each begins with one of these."
      />
      <Stack gap="lg" maw={960}>
        <TextInput
          label="Search"
          placeholder="filter, time, cookie…"
          type="search"
          leftSection={<IconSearch size={16} />}
          value={search}
          onChange={event => setSearch(event.currentTarget.value)}
        />
        <Loaded query={useQuery(commandsQuery)}>
          {commands => {
            const found = commands.filter(({ name, summary, aliases = [] }) =>
              isWanted(name, summary, ...aliases),
            )
            return (
              <>
                {found.length === 0 && (
                  <Empty title="No command is called so or says so">Try a shorter word.</Empty>
                )}
                {groups.map(([group, title]) => (
                  <CommandGroup
                    key={group}
                    title={title}
                    commands={found.filter(command => command.group === group)}
                  />
                ))}
              </>
            )
          }}
        </Loaded>
        <FunctionLists isWanted={isWanted} />
      </Stack>
    </>
  )
}

function CommandGroup({
  title,
  commands,
}: {
  readonly title: string
  readonly commands: readonly CommandDeclaration[]
}) {
  const [open, setOpen] = useState<string[]>([])
  if (commands.length === 0) return null
  return (
    <Stack gap="xs" component="section">
      <Title order={2} size="h4">
        {title}
      </Title>
      <Accordion multiple value={open} onChange={setOpen} variant="contained" order={3}>
        {commands.map(command => (
          <Accordion.Item key={command.name} value={command.name}>
            <Accordion.Control>
              <Group gap="xs">
                <Text ff="monospace" fw={650}>
                  {command.name}
                </Text>
                <Text size="sm" c="dimmed">
                  {command.summary}
                </Text>
              </Group>
            </Accordion.Control>
            <Accordion.Panel>
              {open.includes(command.name) && <CommandEntry command={command} />}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Stack>
  )
}
