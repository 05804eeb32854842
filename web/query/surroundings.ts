import type { QueryClient } from '@tanstack/react-query'
import type { NameKind } from '../../src/language/declaration.ts'
import { parse, type StageSyntax } from '../../src/language/parser.ts'
import { positionsOf } from '../../src/language/positions.ts'
import { Problems } from '../../src/language/problems.ts'
import { api } from '../api/client.ts'
import type { Page, ResultsPage, StageRecord } from '../api/types.ts'
import type { Surroundings } from '../editor/completion.ts'

/** The run that tells which columns the stages had. */
interface Run {
  readonly id: string
  readonly query: string
  readonly stages: readonly StageRecord[]
}

/** What completion has to know besides the language. */
export const surroundingsOf = (client: QueryClient, run: Run | undefined): Surroundings => ({
  columnsAt: (text, cursor) => {
    if (!run) return []
    const stage = stageBefore(text, cursor, run)
    if (!stage?.columns) return []
    const queryKey = ['queries', run.id, 'columns', stage.index, stage.finishedAt]
    return (
      client.getQueryData<readonly string[]>(queryKey) ??
      client.fetchQuery({ queryKey, queryFn: () => columnsOf(run.id, stage), retry: false })
    )
  },
  labelsAt: labelsBefore,
  namesOf: kind => {
    const path = NAMES[kind]
    if (path === undefined) return []
    const queryKey = ['names', kind]
    const state = client.getQueryState<readonly string[]>(queryKey)
    if (state?.data && Date.now() - state.dataUpdatedAt < FRESH_MS) return state.data
    return client.fetchQuery({ queryKey, queryFn: () => namesAt(path), staleTime: FRESH_MS, retry: false })
  },
})

const FRESH_MS = 15_000

const NAMES: { readonly [K in NameKind]?: string } = {
  credential: '/v1/secrets/credentials',
  secret: '/v1/secrets/secrets',
  prompt: '/v1/secrets/prompts',
  store: '/v1/secrets/stores',
  template: '/v1/sirp/templates',
  cellar: '/v1/sirp/cellar/files',
  device: '/v1/krull/devices',
}

async function namesAt(path: string): Promise<readonly string[]> {
  // The list of devices is whole and takes no limit.
  const query = path.endsWith('/devices') ? {} : { limit: 1000 }
  const { items } = await api.get<Page<{ name: string }>>(path, { query })
  return items.map(({ name }) => name)
}

const syntaxOf = (text: string): StageSyntax[] => parse(text, new Problems(positionsOf(text)))

const stageAt = (stages: readonly StageSyntax[], cursor: number): number =>
  stages.findLastIndex(({ pipe }) => pipe === undefined || pipe.span.offset + 2 <= cursor)

const sourceOf = (text: string, { span }: StageSyntax): string =>
  text.slice(span.offset, span.offset + span.length)

/** Known where everything before the cursor's stage is as it was when it ran. */
function stageBefore(text: string, cursor: number, run: Run): StageRecord | undefined {
  const written = syntaxOf(text)
  const index = stageAt(written, cursor)
  const ran = syntaxOf(run.query)
  const isSame = written
    .slice(0, index)
    .every((stage, i) => ran[i] && sourceOf(text, stage) === sourceOf(run.query, ran[i]))
  return index > 0 && isSame ? run.stages[index - 1] : undefined
}

/** Its columns, and what is inside those that hold objects. */
async function columnsOf(id: string, stage: StageRecord): Promise<readonly string[]> {
  const own = stage.columns?.map(({ name }) => name) ?? []
  // Where its rows were not kept, their columns are still known.
  const flat = await api
    .get<ResultsPage>(`/v1/sirp/queries/${id}/stages/${stage.index}/results`, {
      query: { mode: 'flat', limit: 0 },
    })
    .catch(() => undefined)
  return [...new Set([...own, ...(flat?.columns.map(({ name }) => name) ?? [])])]
}

function labelsBefore(text: string, cursor: number): readonly string[] {
  const stages = syntaxOf(text)
  return stages.slice(0, stageAt(stages, cursor)).flatMap(({ items }) =>
    items.flatMap((item, i) => {
      const value = items[i + 1]
      const isLabel = item.kind === 'flag' && item.name.toLowerCase() === 'labelstage'
      return isLabel && value?.kind === 'word' ? value.raw : []
    }),
  )
}
