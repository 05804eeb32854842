import { ForageError } from '../../../errors.ts'
import type { Session } from '../browser/connection.ts'
import { callInPage } from './evaluate.ts'
import { type Polling, waitInPage } from './polling.ts'

/** A selector, and the value for the first element that it matches. */
export type FormField = readonly [selector: string, value: string]

/**
 * Gives a field its value as a visitor would: with the events that a page listens for, and past the setters that
 * frameworks put over `value`. A check box or radio button is ticked by any value but false, 0, off, no and none.
 */
const fill = `(selector, value) => {
  const element = document.querySelector(selector)
  if (!element) return 'nothing matches ' + selector
  element.focus?.()
  const fire = (...names) => { for (const name of names) element.dispatchEvent(new Event(name, { bubbles: true })) }
  if (element instanceof HTMLSelectElement) {
    const option = Array.from(element.options).find(one => one.value === value || one.text.trim() === value)
    if (!option) return 'there is no such choice in ' + selector
    if (element.multiple) option.selected = true
    else element.value = option.value
    fire('input', 'change')
  } else if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')) {
    const wanted = !['', 'false', '0', 'off', 'no'].includes(value.toLowerCase())
    if (element.checked !== wanted) element.click()
  } else if (element instanceof HTMLInputElement && element.type === 'file') {
    return 'a file cannot be given to ' + selector
  } else if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), 'value')
    set.call(element, value)
    fire('input', 'change')
  } else if (element.isContentEditable) {
    element.textContent = value
    fire('input', 'change')
  } else return selector + ' is not a field of a form'
  element.blur?.()
  return ''
}`

const press = `selector => {
  const element = document.querySelector(selector)
  if (!element) return 'nothing matches ' + selector
  if (element instanceof HTMLFormElement) element.requestSubmit()
  else element.click()
  return ''
}`

/** Fills the fields in order and presses; each is waited for, as pages make their forms by script. */
export async function submitForm(
  session: Session,
  fields: readonly FormField[],
  submitSelector: string,
  polling: Polling,
): Promise<void> {
  for (const [selector, value] of fields) {
    await appears(session, selector, polling)
    await act(session, fill, [selector, value])
  }
  await appears(session, submitSelector, polling)
  await act(session, press, [submitSelector])
}

async function appears(session: Session, selector: string, polling: Polling): Promise<void> {
  try {
    await waitInPage(session, `() => document.querySelector(${JSON.stringify(selector)})`, polling)
  } catch (error) {
    if (!(error instanceof ForageError) || !/valid selector/.test(error.message)) throw error
    const message = `holds what is not a selector: ${selector.slice(0, 200)}`
    throw new ForageError('invalid_request', `Not valid in the body: $.selectorValuePairs ${message}`, {
      errors: [{ path: '$.selectorValuePairs', message, in: 'body' }],
    })
  }
}

async function act(session: Session, action: string, args: readonly string[]): Promise<void> {
  const { value } = await callInPage(
    session,
    action,
    args.map(value => ({ value })),
  )
  if (value !== '') throw new ForageError('no_match', `The form cannot be filled in: ${value}.`)
}
