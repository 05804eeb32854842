import type { Session } from '../browser/connection.ts'
import { callInPage } from './evaluate.ts'

/** How often the page is looked at: at each frame drawn, at each change of its elements, or every so many ms. */
export type Polling = 'raf' | 'mutation' | number

/** Resolves in the page as soon as the condition, a function there, gives something true. */
const poll = `(condition, polling) => new Promise((resolve, reject) => {
  let stop = () => {}
  const check = async () => {
    try { if (await condition()) { stop(); resolve(true); return true } } catch (error) { stop(); reject(error); return true }
    return false
  }
  if (polling === 'raf') {
    const next = async () => { if (!await check()) requestAnimationFrame(next) }
    next()
  } else if (polling === 'mutation') {
    const observer = new MutationObserver(check)
    stop = () => observer.disconnect()
    check().then(done => done || observer.observe(document, { childList: true, subtree: true, attributes: true, characterData: true }))
  } else {
    const timer = setInterval(check, polling)
    stop = () => clearInterval(timer)
    check()
  }
})`

/** Waits for a condition, the text of a function without arguments. */
export async function waitInPage(session: Session, condition: string, polling: Polling): Promise<void> {
  await callInPage(session, `polling => (${poll})(\n${condition}\n, polling)`, [{ value: polling }])
}
