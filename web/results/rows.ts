import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Row } from '../../src/language/json.ts'
import { quoteSegment } from '../../src/language/paths.ts'
import { addressOf, api } from '../api/client.ts'
import type { QueryRecord, ResultsPage, StageRecord } from '../api/types.ts'

export type RowMode = 'flat' | 'nested'
export type ResultColumn = ResultsPage['columns'][number]

/** The types of columns in words. */
const TYPES: Readonly<Record<string, string>> = { string: 'text', json: 'JSON' }
export const typeName = (type: string | undefined): string => TYPES[type ?? ''] ?? type ?? ''

export interface Sorting {
  readonly column: string
  readonly order: 'asc' | 'desc'
  /** Where in the column to look, if not at the whole of it. */
  readonly path?: string
}

/** Whose rows are looked at, how, and in which order. */
export interface RowsView {
  readonly queryId: string
  readonly stage: number
  /** Rows of a stage that has ended never change: with it in the key they are asked for once. */
  readonly finishedAt: string | null
  readonly mode: RowMode
  readonly sort: Sorting | undefined
}

export interface RowsPage {
  readonly rows: readonly Row[]
  readonly columns: readonly ResultColumn[]
  readonly total: number
}

export const viewOf = (
  record: QueryRecord,
  stage: StageRecord,
  mode: RowMode = 'nested',
  sort?: Sorting,
): RowsView => ({
  queryId: record.id,
  stage: stage.index,
  finishedAt: stage.finishedAt,
  mode,
  sort,
})

const resultsPath = (view: Pick<RowsView, 'queryId' | 'stage'>): string =>
  `/v1/sirp/queries/${view.queryId}/stages/${view.stage}/results`

/** The name of a column as the path that means it. The dots of a flat name lead into the value; others are part of it. */
export const pathOf = (column: string, mode: RowMode): string =>
  mode === 'flat' && !/[`*\s]/.test(column) ? column : quoteSegment(column)

const sortParameters = ({ sort, mode }: Pick<RowsView, 'sort' | 'mode'>) =>
  sort && { sort: true, sortKey: sort.path ?? pathOf(sort.column, mode), sortOrder: sort.order }

const keyOf = ({ queryId, stage, finishedAt, mode, sort }: RowsView) =>
  [
    'queries',
    queryId,
    'results',
    stage,
    finishedAt,
    mode,
    sort?.path ?? sort?.column ?? '',
    sort?.order ?? '',
  ] as const

/** Where a row has no `constructor` or `toString`, nothing is to be found under such a name. */
export const bare = (row: Row): Row => Object.setPrototypeOf(row, null) as Row

export const rowsQuery = (view: RowsView, offset: number, limit: number) =>
  queryOptions({
    queryKey: [...keyOf(view), offset, limit],
    queryFn: async ({ signal }): Promise<RowsPage> => {
      const query = { offset, limit, mode: view.mode, ...sortParameters(view) }
      const page = await api.get<ResultsPage>(resultsPath(view), { query, signal })
      return {
        rows: page.results.map(({ content }) => bare(content as Row)),
        columns: page.columns,
        total: page.total,
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Whoever scrolls through a million rows keeps what is near, not all of it.
    gcTime: 60_000,
  })

/** So many rows are asked for at once: enough for a screen and a half, few enough for rows that hold whole pages. */
export const PAGE_ROWS = 100

export const pageQuery = (view: RowsView, page: number) => rowsQuery(view, page * PAGE_ROWS, PAGE_ROWS)

/** The first page says which columns there are; while another order is fetched, the old one stays on the screen. */
export const firstPageQuery = (view: RowsView) => ({
  ...pageQuery(view, 0),
  placeholderData: keepPreviousData<RowsPage>,
})

export type ExportFormat = 'csv' | 'ndjson' | 'json' | 'parquet'

export const exportAddress = (view: RowsView, mode: ExportFormat, safe = false): string =>
  addressOf(resultsPath(view), { ...sortParameters(view), mode, ...(safe && { safe }) })
