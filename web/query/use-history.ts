import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { showFailure } from '../components/notices.ts'
import { historyQuery } from './queries.ts'

/** Walks through the last queries, from what is written now and back to it. */
export function useHistory(text: string, setText: (text: string) => void): (step: -1 | 1) => void {
  const client = useQueryClient()
  /** How far back, what stood there before, and what was put there. */
  const place = useRef({ back: 0, began: '', put: '' })

  const walk = async (step: -1 | 1) => {
    const now = place.current
    if (now.put !== text) place.current = { back: 0, began: text, put: text }
    const { back, began } = place.current
    const records = await client.fetchQuery(historyQuery)
    const texts = [...new Set(records.map(({ query }) => query))].filter(query => query !== began)
    const next = Math.max(0, Math.min(texts.length, back - step))
    const put = next === 0 ? began : (texts[next - 1] ?? began)
    place.current = { back: next, began, put }
    setText(put)
  }
  return step => void walk(step).catch(showFailure)
}
