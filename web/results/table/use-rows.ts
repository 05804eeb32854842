import { useDebouncedValue } from '@mantine/hooks'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { Row } from '../../../src/language/json.ts'
import { PAGE_ROWS, pageQuery, type RowsView } from '../rows.ts'

export interface SeenRows {
  /** Undefined while it is on its way. */
  readonly rowAt: (index: number) => Row | undefined
  readonly error: unknown
  readonly retry: () => void
}

/** The rows that are in view. What is only passed by on the way to somewhere else is not asked for. */
export function useRows(view: RowsView, first: number, last: number): SeenRows {
  const client = useQueryClient()
  const firstPage = Math.floor(Math.max(0, first) / PAGE_ROWS)
  const lastPage = Math.floor(Math.max(0, last) / PAGE_ROWS)
  const [settled] = useDebouncedValue(`${firstPage} ${lastPage}`, 60)
  const [from = 0, to = 0] = settled.split(' ').map(Number)
  const pages = Array.from({ length: Math.min(5, to - from + 1) }, (_, index) => from + index)
  const answers = useQueries({ queries: pages.map(page => pageQuery(view, page)) })
  const known = new Map(pages.map((page, index) => [page, answers[index]?.data]))
  const failed = answers.find(answer => answer.isError && answer.data === undefined)
  return {
    rowAt: index => {
      const page = Math.floor(index / PAGE_ROWS)
      const found = known.get(page) ?? client.getQueryData(pageQuery(view, page).queryKey)
      return found?.rows[index % PAGE_ROWS]
    },
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}
