import type { Service } from '../service.ts'
import type { Screenshots } from './screenshots.ts'

const REAP_MS = 10 * 60_000

/** screenshot: the pictures that browser jobs took, named by their SHA-256. */
export class ScreenshotService implements Service {
  readonly name = 'screenshot'
  readonly needs = []
  readonly screenshots: Screenshots
  #kept = 0
  #timer: NodeJS.Timeout | undefined
  #reaping: Promise<void> = Promise.resolve()

  constructor(screenshots: Screenshots) {
    this.screenshots = screenshots
  }

  async start(): Promise<void> {
    await this.#reap()
    this.#timer = setInterval(() => {
      this.#reaping = this.#reap().catch(() => {})
    }, REAP_MS).unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#reaping
  }

  detail(): string {
    return `${this.#kept} screenshots were kept when they were last looked through`
  }

  async #reap(): Promise<void> {
    await this.screenshots.reap()
    this.#kept = await this.screenshots.count()
  }
}
