import { Group, Pagination, Text } from '@mantine/core'
import { useEffect } from 'react'
import { count } from './numbers.ts'

const labels = {
  first: 'First page',
  previous: 'Previous page',
  next: 'Next page',
  last: 'Last page',
} as const

/** Which of all there are is shown, and the way to the others. Pages count from 1. */
export function Pager({
  page,
  size,
  total,
  onChange,
}: {
  readonly page: number
  readonly size: number
  readonly total: number
  readonly onChange: (page: number) => void
}) {
  const pages = Math.max(1, Math.ceil(total / size))
  // The last page may have gone with what was on it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `onChange` is made anew each time
  useEffect(() => {
    if (page > pages) onChange(pages)
  }, [page, pages])
  const first = Math.min(total, (page - 1) * size + 1)
  return (
    <Group justify="space-between" mt="sm" gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {total === 0
          ? 'None'
          : `${count(first)} to ${count(Math.min(total, page * size))} of ${count(total)}`}
      </Text>
      {pages > 1 && (
        <Pagination
          component="nav"
          aria-label="Pages of the list"
          size="sm"
          total={pages}
          value={page}
          onChange={onChange}
          siblings={0}
          withEdges={pages > 7}
          getControlProps={control => ({ 'aria-label': labels[control] })}
          getItemProps={number => ({ 'aria-label': `Page ${number}` })}
        />
      )}
    </Group>
  )
}
