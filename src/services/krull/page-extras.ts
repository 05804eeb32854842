import type { Screenshots } from '../screenshot/screenshots.ts'
import { type GivenPicture, typeOf } from './given.ts'
import type { OpenPage } from './page/open-page.ts'
import type { Picture } from './page/picture.ts'
import type { Storages } from './page/storages.ts'

/** What any page job can be asked for besides its own work. */
export class PageExtras {
  readonly #screenshots: Screenshots

  constructor(screenshots: Screenshots) {
    this.#screenshots = screenshots
  }

  async screenshotIf(body: GivenPicture & { readonly screenshot?: boolean }, page: OpenPage) {
    if (body.screenshot !== true) return undefined
    const { quality, background } = body
    const picture = await page.picture({ type: typeOf(body), quality, background })
    return { screenshot: await this.keep(picture, page) }
  }

  async keep({ bytes, type, width, height, note }: Picture, page: OpenPage) {
    const { url } = await page.facts()
    const hash = await this.#screenshots.keep(bytes, { type, width, height, url })
    return { hash, type, width, height, bytes: bytes.byteLength, ...(note !== undefined && { note }) }
  }
}

export const storagesIf = async (
  wanted: boolean | undefined,
  page: OpenPage,
): Promise<Storages | undefined> => (wanted === true ? page.storages() : undefined)
