import { MultiSelect, Select, SimpleGrid } from '@mantine/core'
import type { Aggregate, Choice } from './choice.ts'
import type { Profile } from './profile.ts'

interface Props {
  readonly choice: Choice
  readonly profiles: readonly Profile[]
  readonly onChange: (choice: Choice) => void
}

const aggregates: readonly { readonly value: Aggregate; readonly label: string }[] = [
  { value: 'none', label: 'Each row' },
  { value: 'sum', label: 'Sum' },
  { value: 'avg', label: 'Average' },
  { value: 'count', label: 'Count of rows' },
]

/** What goes where. */
export function ChartControls({ choice, profiles, onChange }: Props) {
  const { type, x, y, group, aggregate } = choice
  const all = profiles.map(({ name }) => name)
  const numbers = profiles.filter(({ kind }) => kind === 'number').map(({ name }) => name)
  const texts = profiles.filter(({ kind }) => kind === 'text').map(({ name }) => name)
  if (type === 'histogram')
    return (
      <Select
        size="xs"
        label="Values"
        maw={280}
        data={numbers}
        value={y[0] ?? null}
        searchable
        onChange={name => onChange({ ...choice, y: name === null ? [] : [name] })}
      />
    )
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="xs">
      <Select
        size="xs"
        label="Along"
        data={all}
        value={x}
        searchable
        onChange={name => onChange({ ...choice, x: name })}
      />
      <MultiSelect
        size="xs"
        label="Values"
        data={numbers}
        value={[...y]}
        searchable
        disabled={aggregate === 'count'}
        onChange={names => onChange({ ...choice, y: names })}
      />
      <Select
        size="xs"
        label="Group by"
        data={texts}
        value={group}
        searchable
        clearable
        placeholder="nothing"
        onChange={name => onChange({ ...choice, group: name })}
      />
      <Select
        size="xs"
        label="Combine"
        data={[...aggregates]}
        value={aggregate}
        allowDeselect={false}
        onChange={value => onChange({ ...choice, aggregate: value as Aggregate })}
      />
    </SimpleGrid>
  )
}
