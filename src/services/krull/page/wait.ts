import { setTimeout as sleep } from 'node:timers/promises'
import { ForageError } from '../../../errors.ts'
import type { Session } from '../browser/connection.ts'
import type { Visibility, WaitCriterion } from '../wait-criteria.ts'
import { PageLeft } from './evaluate.ts'
import { type Polling, waitInPage } from './polling.ts'
import type { Milestone, PageWatch } from './watch.ts'

export interface Waiting {
  readonly session: Session
  readonly watch: PageWatch
  readonly milestone: Milestone
  readonly polling: Polling
  /** Addresses that answered so far; told of new ones through `watch.until`. */
  readonly responses: readonly string[]
  readonly signal: AbortSignal
}

/** Waits until all hold. */
export async function waitForAll(criteria: readonly WaitCriterion[], waiting: Waiting): Promise<void> {
  await Promise.all(criteria.map(criterion => waitFor(criterion, waiting)))
}

async function waitFor(criterion: WaitCriterion, waiting: Waiting): Promise<void> {
  const { watch, responses, signal } = waiting
  switch (criterion.kind) {
    case 'time':
      await sleep(criterion.ms, undefined, { signal })
      return
    case 'url':
      return watch.until(() => criterion.glob.test(watch.url))
    case 'response':
      return watch.until(() => responses.some(url => criterion.glob.test(url)))
    case 'selector':
      return inPage(selectorCondition(criterion.selector, criterion.visibility), waiting)
    case 'function':
      return inPage(functionCondition(criterion.source), waiting)
  }
}

/** A page that goes elsewhere meanwhile is waited for there. */
async function inPage(condition: string, waiting: Waiting): Promise<void> {
  const { session, watch, milestone, polling } = waiting
  for (;;) {
    const before = watch.navigations
    try {
      return await waitInPage(session, condition, polling)
    } catch (error) {
      if (error instanceof PageLeft) {
        await watch.until(() => watch.navigations > before)
        await watch.reached(milestone)
        continue
      }
      throw error instanceof ForageError && error.code === 'script_failed' ? inWait(error) : error
    }
  }
}

function inWait(error: ForageError): ForageError {
  const isSelector = /valid selector/.test(error.message)
  const message = error.message.replace(/^The expression failed: /, '')
  return new ForageError(isSelector ? 'invalid_request' : 'script_failed', `wait: ${message}`, {
    errors: [{ path: '$.wait', message, ...(isSelector && { in: 'body' }) }],
  })
}

const isShown = `element => {
  const { visibility, display } = getComputedStyle(element)
  const { width, height } = element.getBoundingClientRect()
  return visibility !== 'hidden' && visibility !== 'collapse' && display !== 'none' && width > 0 && height > 0
}`

function selectorCondition(selector: string, visibility: Visibility): string {
  const all = `Array.from(document.querySelectorAll(${JSON.stringify(selector)}))`
  if (visibility === 'visible') return `() => ${all}.some(${isShown})`
  return visibility === 'hidden' ? `() => !${all}.some(${isShown})` : `() => ${all}.length > 0`
}

const functionCondition = (source: string) => `() => (\n${source}\n)()`
