import type { Static } from 'typebox'
import { type PageAction, PageInterrupted } from '../../commands/browsing/browser.ts'
import type { Screenshots } from '../screenshot/screenshots.ts'
import type { Devices } from './devices.ts'
import { type ElementsPart, elementsOf, handOnElements } from './element-operations.ts'
import { scriptOf, typeOf } from './given.ts'
import type { JobOptions, JobRunner } from './job-runner.ts'
import type {
  EvaluateBody,
  ExpressionBody,
  FormBody,
  RequestsBody,
  ScreenshotBody,
  SelectorBody,
  SessionBody,
} from './options.ts'
import { performActions } from './page/actions.ts'
import type { FormField } from './page/form.ts'
import type { OpenPage, PageFacts } from './page/open-page.ts'
import type { Picture } from './page/picture.ts'
import type { PictureType } from './page/picture-size.ts'
import { summarize } from './page/requests.ts'
import { runScript } from './page/script.ts'
import type { Storages } from './page/storages.ts'
import { PageExtras, storagesIf } from './page-extras.ts'
import { type PageOptions, planPage } from './plan.ts'
import type { PageAnswer } from './records.ts'

type Answer = Static<typeof PageAnswer>
type Parts = Partial<Answer>

/** What a query can ask for besides the interface's own options of the operation. */
type ElementsOptions = Pick<PageOptions, 'filter' | 'viewportWidth' | 'viewportHeight' | 'timeoutMs'> & {
  readonly background?: string
}

export interface OperationParts {
  readonly runner: JobRunner
  readonly devices: Devices
  readonly screenshots: Screenshots
}

/** The browser operations of the interface; a route or a command calls them with the options as they were given. */
export class BrowserOperations {
  readonly #runner: JobRunner
  readonly #devices: Devices
  readonly #extras: PageExtras

  constructor({ runner, devices, screenshots }: OperationParts) {
    this.#runner = runner
    this.#devices = devices
    this.#extras = new PageExtras(screenshots)
  }

  /** An expression without a page. */
  async expression(body: Static<typeof ExpressionBody>, options: JobOptions = {}) {
    const script = scriptOf(body, body.expression)
    const done = await this.#runner.blank(async (session, watch, limits) => {
      const startedAt = performance.now()
      const result = await runScript(session, script, limits)
      return { result, console: [...watch.console], runMs: rounded(performance.now() - startedAt) }
    }, options)
    return {
      result: done.result,
      console: done.console,
      timing: { queueMs: done.queueMs, runMs: done.runMs },
    }
  }

  /** Every request that a page makes. */
  requests(body: Static<typeof RequestsBody>, options: JobOptions = {}): Promise<Answer> {
    const work = async (page: OpenPage): Promise<Parts> => {
      const result = body.expression !== undefined && {
        result: await page.run(scriptOf(body, body.expression)),
      }
      const log = page.requests!
      if (body.responseText) await log.readBodies()
      const { requests } = log
      return { ...result, requests, summary: summarize(requests), ...(await storagesIf(body.session, page)) }
    }
    return this.open(body, work, { ...options, captureRequests: true })
  }

  /** An expression in a page. */
  evaluate(body: Static<typeof EvaluateBody>, options: JobOptions = {}): Promise<Answer> {
    return this.open(
      body,
      async page => ({
        result: await page.run(scriptOf(body, body.expression)),
        ...(await this.#extras.screenshotIf(body, page)),
        ...(await storagesIf(body.session, page)),
      }),
      options,
    )
  }

  /** The elements of a selector. */
  selector(body: Static<typeof SelectorBody>, options: JobOptions = {}): Promise<Answer> {
    return this.open(body, page => elementsOf(body, page, this.#extras), options)
  }

  /**
   * The same after some actions; `wait` then speaks of the page that they lead to. The elements are handed on some at a
   * time, the next of them read when `take` has resolved.
   */
  elements(
    body: Static<typeof SelectorBody> & ElementsOptions,
    actions: readonly PageAction[],
    take: (part: ElementsPart) => Promise<void>,
    options: JobOptions = {},
  ): Promise<Answer> {
    let isHandedOn = false
    return this.#answer(
      body,
      async page => {
        // Another try would hand on the same again.
        if (isHandedOn) throw new PageInterrupted()
        await page.open({ wait: actions.length === 0 })
        await performActions(page, actions)
        if (actions.length > 0) await page.wait()
        return handOnElements(body, page, this.#extras, part => {
          isHandedOn = true
          return take(part)
        })
      },
      options,
    )
  }

  /** Expressions that act on a page, with what its visitor has with the site before the first and after each. */
  session(body: Static<typeof SessionBody>, options: JobOptions = {}): Promise<Answer> {
    const expressions = [body.expression].flat()
    return this.open(
      body,
      async page => {
        const steps = [await stepOf(page, null)]
        for (const expression of expressions)
          steps.push(await stepOf(page, await page.act(scriptOf(body, expression))))
        const results = steps.slice(1).map(({ result }) => result)
        const { cookieStorage, localStorage, sessionStorage } = steps.at(-1)!
        const result = typeof body.expression === 'string' ? results[0] : results
        return { result, steps, cookieStorage, localStorage, sessionStorage }
      },
      options,
    )
  }

  /** A picture of an element or of the whole page, kept by the screenshot service. */
  screenshot(body: Static<typeof ScreenshotBody>, options: JobOptions = {}): Promise<Answer> {
    const type = typeOf(body)
    return this.open(
      body,
      async page => {
        const result = await expressionFirst(body, page)
        const picture = await takePicture(body, type, page)
        return {
          ...result,
          screenshot: await this.#extras.keep(picture, page),
          ...(await storagesIf(body.session, page)),
        }
      },
      options,
    )
  }

  /** The picture itself; it is not kept. */
  async image(body: Static<typeof ScreenshotBody>, options: JobOptions = {}): Promise<Picture> {
    const type = typeOf(body)
    const done = await this.#runner.page(
      planPage(body, this.#devices),
      async page => {
        await page.open()
        await expressionFirst(body, page)
        return { picture: await takePicture(body, type, page) }
      },
      options,
    )
    return done.picture
  }

  /** Fills in a form and sends it. `wait` speaks of the page that this leads to. */
  form(body: Static<typeof FormBody>, options: JobOptions = {}): Promise<Answer> {
    const pairs = body.selectorValuePairs as unknown as readonly FormField[]
    return this.#answer(
      body,
      async page => {
        await page.open({ wait: false })
        await page.submit(pairs, body.submitSelector)
        await page.wait()
        return page.storages()
      },
      options,
    )
  }

  /** Opens a page by its options and answers with what the work gives, and with what is said of every page. */
  open(
    body: PageOptions,
    work: (page: OpenPage) => Promise<Parts>,
    options: JobOptions = {},
  ): Promise<Answer> {
    return this.#answer(
      body,
      async page => {
        await page.open()
        return work(page)
      },
      options,
    )
  }

  async #answer(
    body: PageOptions,
    work: (page: OpenPage) => Promise<Parts>,
    options: JobOptions,
  ): Promise<Answer> {
    const plan = planPage(body, this.#devices)
    const { queueMs, attempts, startedAt, ...answer } = await this.#runner.page(
      plan,
      async page => {
        const startedAt = performance.now()
        const parts = await work(page)
        const facts = factsIn(parts) ?? (await page.facts())
        return { ...parts, ...facts, ...saidBy(page), startedAt, loadMs: page.loadMs }
      },
      options,
    )
    const { loadMs, ...rest } = answer
    const runMs = performance.now() - startedAt - loadMs
    return { ...rest, timing: { queueMs, loadMs: rounded(loadMs), runMs: rounded(runMs) }, attempts }
  }
}

const factsIn = ({ url, status, title }: Parts): PageFacts | undefined =>
  url === undefined || status === undefined || title === undefined ? undefined : { url, status, title }

function saidBy({ watch, body }: OpenPage) {
  const { dialogs, console, errors } = watch
  return {
    ...(body && { body }),
    dialogs: [...dialogs],
    console: [...console],
    errors: [...errors],
  }
}

async function stepOf(page: OpenPage, result: unknown): Promise<Storages & { url: string; result: unknown }> {
  const storages = await page.storages()
  const { url } = await page.facts()
  return { url, result, ...storages }
}

const expressionFirst = async (body: Static<typeof ScreenshotBody>, page: OpenPage) =>
  body.expression === undefined ? undefined : { result: await page.run(scriptOf(body, body.expression)) }

const takePicture = (
  { selector, engine, quality, background }: Static<typeof ScreenshotBody>,
  type: PictureType,
  page: OpenPage,
): Promise<Picture> => page.picture({ type, quality, background }, selector, engine)

const rounded = (ms: number) => Math.max(0, Math.round(ms * 10) / 10)
