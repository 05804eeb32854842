import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import type { Diagnostic } from '../../src/language/diagnostics.ts'
import { api } from '../api/client.ts'
import { Problem } from '../api/problem.ts'
import type { QueryRecord, QueryStatus, StageRecord } from '../api/types.ts'
import { showFailure } from '../components/notices.ts'
import { forgetDraft, keepDraft, readDraft } from './draft.ts'
import { isActive, isGone, recordQuery, stagesQuery, statusQuery } from './queries.ts'
import type { RunOptions } from './run-options.tsx'
import { useEvents } from './use-events.ts'

/** What the server found wrong with a query that it was asked to run. */
export interface Refusal {
  readonly query: string
  readonly errors: readonly Diagnostic[]
}

export interface QueryRun {
  readonly text: string
  readonly setText: (text: string) => void
  /** The query whose address the page has. */
  readonly id: string | undefined
  readonly record: QueryRecord | undefined
  readonly stages: readonly StageRecord[]
  /** While it runs. */
  readonly status: QueryStatus | undefined
  /** Why the query of this address cannot be shown. */
  readonly failure: Error | null
  readonly isRunning: boolean
  /** It is on its way to the server. */
  readonly isSending: boolean
  readonly refusal: Refusal | undefined
  readonly stage: StageRecord | undefined
  readonly select: (index: number) => void
  readonly run: (text: string, options: RunOptions) => Promise<void>
  readonly cancel: () => Promise<void>
}

const noStages: readonly StageRecord[] = []

/** The state of the query page: what is written, what was run, and how that goes. */
export function useQueryRun(): QueryRun {
  const { id } = useParams<{ id?: string }>()
  const [, navigate] = useLocation()
  const given = new URLSearchParams(useSearch()).get('q')
  const client = useQueryClient()
  const [text, setText] = useState(() => (id === undefined ? (given ?? readDraft(id) ?? '') : ''))
  const [refusal, setRefusal] = useState<Refusal>()
  const [isSending, setSending] = useState(false)
  const [choice, setChoice] = useState<{ id: string; index: number }>()

  const record = useQuery({ ...recordQuery(id ?? ''), enabled: id !== undefined })
  const found = id === undefined || isGone(record.error) ? undefined : record.data
  const isRunning = found !== undefined && isActive(found.status)
  const stages = useQuery({ ...stagesQuery(id ?? ''), enabled: id !== undefined })
  const status = useQuery({ ...statusQuery(id ?? ''), enabled: id !== undefined && isRunning })

  const refresh = () => {
    if (id === undefined) return
    for (const { queryKey } of [recordQuery(id), stagesQuery(id), statusQuery(id)])
      void client.invalidateQueries({ queryKey, exact: true })
  }
  useEvents(id, isRunning, refresh)

  // Once it is over, everything that was read of it while it ran is read again.
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && !isRunning && id !== undefined) {
      void client.invalidateQueries({ queryKey: ['queries', id] })
      void client.invalidateQueries({ queryKey: ['queries', 'history'] })
    }
    wasRunning.current = isRunning
  }, [isRunning, id, client])

  // The text follows the address, but for what was just run from here.
  const shown = useRef(id === undefined ? `?${given ?? ''}` : '')
  useEffect(() => {
    const wanted = id === undefined ? `?${given ?? ''}` : (record.data?.id ?? '')
    if (wanted === '' || wanted === shown.current) return
    shown.current = wanted
    const draft = readDraft(id)
    setText(id === undefined ? (given ?? draft ?? '') : (draft ?? record.data?.query ?? ''))
    setRefusal(undefined)
  }, [id, given, record.data])

  const write = (value: string) => {
    setText(value)
    if (value === found?.query) forgetDraft(id)
    else keepDraft(id, value)
  }

  const sending = useRef(false)
  const run = async (query: string, options: RunOptions) => {
    // Two keys can come between one drawing of the page and the next.
    if (query.trim() === '' || sending.current) return
    sending.current = true
    const from = location.pathname
    setText(query)
    setSending(true)
    setRefusal(undefined)
    try {
      const made = await api.post<QueryRecord>(
        '/v1/sirp/query/runner/dispatch',
        { query, ...options },
        { headers: { prefer: 'respond-async' } },
      )
      client.setQueryData(recordQuery(made.id).queryKey, made)
      shown.current = made.id
      forgetDraft(id)
      // Whoever went to another page meanwhile stays there.
      if (location.pathname === from) navigate(`/queries/${made.id}`)
    } catch (error) {
      if (error instanceof Problem && error.code === 'query_invalid')
        setRefusal({ query, errors: error.errors as readonly Diagnostic[] })
      else showFailure(error)
    } finally {
      sending.current = false
      setSending(false)
    }
  }

  const cancel = async () => {
    if (id === undefined) return
    await api.post(`/v1/sirp/queries/${id}/cancel`)
    refresh()
  }

  const list = stages.data ?? noStages
  const chosen = choice?.id === id ? list[choice?.index ?? -1] : undefined
  return {
    text,
    setText: write,
    id,
    record: found,
    stages: list,
    status: isRunning ? status.data : undefined,
    failure: id === undefined ? null : record.error,
    isRunning,
    isSending,
    refusal,
    stage: chosen ?? usualStage(found, list),
    select: index => id !== undefined && setChoice({ id, index }),
    run,
    cancel,
  }
}

/** The last one; of a query that did not get there, the last that did. */
function usualStage(
  record: QueryRecord | undefined,
  stages: readonly StageRecord[],
): StageRecord | undefined {
  if (record?.status === 'failed' || record?.status === 'cancelled')
    return stages.findLast(({ status }) => status === 'completed') ?? stages.at(-1)
  return stages.at(-1)
}
