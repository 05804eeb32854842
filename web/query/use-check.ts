import { useDebouncedValue } from '@mantine/hooks'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { CommandDeclaration } from '../../src/language/declaration.ts'
import type { Diagnostic } from '../../src/language/diagnostics.ts'
import type { Planned } from '../../src/language/planner.ts'
import { api } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import type { Plan } from '../api/types.ts'
import type { Refusal } from './use-query-run.ts'

/** While somebody types, a word that is not finished is no mistake yet. */
const PAUSE_MS = 500

/** The part of the language that judges regular expressions is as large as an editor: it comes with the first word. */
const plannerQuery = queryOptions({
  queryKey: ['planner'],
  queryFn: async () => (await import('../../src/language/planner.ts')).plan,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
})

export interface Check {
  /** The text that this is about: what is written, but for the last moments. */
  readonly text: string
  readonly planned: Planned | undefined
  /** What the server says of a text without mistakes: its cost, and what is in the cache. */
  readonly estimate: Plan | undefined
  readonly diagnostics: readonly Diagnostic[]
}

const none: readonly Diagnostic[] = []

/** Checks what is written: at once by the language itself, then by the server, which also knows the stored names. */
export function useCheck(
  text: string,
  commands: readonly CommandDeclaration[],
  refusal: Refusal | undefined,
): Check {
  const [settled] = useDebouncedValue(text, PAUSE_MS)
  const hasText = settled.trim() !== ''
  const { data: plan } = useQuery({ ...plannerQuery, enabled: text !== '' })
  const planned = useMemo(
    () => (hasText && commands.length > 0 ? plan?.(settled, { commands }) : undefined),
    [settled, hasText, commands, plan],
  )
  const isSound = planned !== undefined && planned.diagnostics.length === 0
  const { data: answer } = useQuery({
    queryKey: ['parse', settled],
    queryFn: ({ signal }) => askServer(settled, signal),
    enabled: isSound,
    gcTime: 60_000,
  })
  const refused = refusal?.query === settled ? refusal.errors : none
  const own = planned?.diagnostics ?? none
  const diagnostics = own.length > 0 ? own : (answer?.errors ?? refused)
  return { text: settled, planned, estimate: answer?.plan, diagnostics }
}

interface Answer {
  readonly plan?: Plan
  readonly errors?: readonly Diagnostic[]
}

async function askServer(query: string, signal: AbortSignal): Promise<Answer> {
  try {
    const path = '/v1/sirp/query/parse'
    return { plan: await api.post<Plan>(path, { query }, { signal, query: { addFlags: false } }) }
  } catch (error) {
    if (error instanceof Problem && error.code === 'query_invalid')
      return { errors: error.errors as readonly Diagnostic[] }
    throw error
  }
}
