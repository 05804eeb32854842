import { Code, Loader, Modal, MultiSelect, Stack, Text, TextInput, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import type { Decorations } from '../api/types.ts'
import { Empty, Failure } from '../components/states.tsx'
import styles from './commands-dialog.module.css'
import { pathOf, type RowMode } from './rows.ts'

interface Props {
  /** The column whose menu it was opened from; undefined while it is closed. */
  readonly column: string | undefined
  readonly columns: readonly string[]
  readonly mode: RowMode
  /** The query up to the stage whose rows are shown. */
  readonly baseQuery: string
  readonly onClose: () => void
  readonly onQueryChange: (text: string, run?: boolean) => void
}

type Decoration = Decorations['items'][number]

/** The commands that fit one column, or several, and the stage that each would add. */
export function CommandsDialog({ column, columns, mode, baseQuery, onClose, onQueryChange }: Props) {
  const [chosen, setChosen] = useState<string[]>([])
  const [search, setSearch] = useState('')
  useEffect(() => {
    if (column !== undefined) {
      setChosen([column])
      setSearch('')
    }
  }, [column])
  const paths = chosen.map(name => pathOf(name, mode))
  const type = paths.length > 1 ? 'multiattribute' : 'attribute'
  const fitting = useQuery({
    queryKey: ['decorate', type, baseQuery, paths],
    queryFn: ({ signal }) =>
      api.post<Decorations>(
        `/v1/sirp/query/decorate/${type}`,
        { query: baseQuery, columns: paths },
        { signal },
      ),
    enabled: column !== undefined && paths.length > 0,
  })
  const words = search.toLowerCase().split(/\s+/)
  const found = (fitting.data?.items ?? []).filter(({ command, description }) =>
    words.every(word => `${command} ${description}`.toLowerCase().includes(word)),
  )
  const choose = (item: Decoration) => {
    onClose()
    onQueryChange(item.query, isComplete(item, paths))
  }
  return (
    <Modal
      opened={column !== undefined}
      onClose={onClose}
      title="Add a command"
      size="lg"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <MultiSelect
          label="Columns"
          data={[...new Set([...chosen, ...columns.slice(0, 500)])]}
          value={chosen}
          onChange={setChosen}
          searchable
          hidePickedOptions
        />
        <TextInput
          label="Search commands"
          value={search}
          data-autofocus
          onChange={event => setSearch(event.currentTarget.value)}
        />
        {fitting.isError && <Failure error={fitting.error} />}
        {fitting.isFetching && <Loader size="sm" aria-label="Looking for commands" />}
        {fitting.data && found.length === 0 && (
          <Empty title="No command fits">
            {search === '' ? 'Choose other columns.' : 'Search for something else, or choose other columns.'}
          </Empty>
        )}
        <ul className={styles.list} aria-label="Commands">
          {found.map(item => (
            <li key={item.query}>
              <UnstyledButton className={styles.item} onClick={() => choose(item)}>
                <Text fw={600} size="sm">
                  {item.command}
                </Text>
                <Text size="sm" c="dimmed">
                  {item.description.replace(/: [^:]*$/, '')}
                </Text>
                <Code className={styles.stage}>{addedText(item, baseQuery)}</Code>
                {!isComplete(item, paths) && (
                  <Text size="xs" c="dimmed">
                    put into the editor, for you to complete
                  </Text>
                )}
              </UnstyledButton>
            </li>
          ))}
        </ul>
      </Stack>
    </Modal>
  )
}

const addedText = ({ query }: Decoration, base: string): string => query.slice(base.length).trim()

/** Nothing but columns behind the command: there is nothing left to fill in, and it can run at once. */
function isComplete({ command, query }: Decoration, paths: readonly string[]): boolean {
  const added = query.slice(query.lastIndexOf(`|| ${command}`) + 3 + command.length).trim()
  return added === '' || added === paths.join(' ') || added === paths[0]
}
