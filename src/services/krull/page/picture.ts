import type { Protocol } from 'puppeteer-core'
import { ForageError } from '../../../errors.ts'
import type { Session } from '../browser/connection.ts'
import type { Device } from '../devices.ts'
import { callInPage } from './evaluate.ts'
import { type PictureType, pictureSize } from './picture-size.ts'

export interface PictureOptions {
  readonly type: PictureType
  readonly quality: number | undefined
  readonly background: string | undefined
}

export interface Picture {
  readonly bytes: Buffer
  readonly type: PictureType
  readonly width: number
  readonly height: number
  /** What a limit made different from what was asked for. */
  readonly note?: string
}

type Clip = Protocol.Page.Viewport

/** Above this many rows of pixels a page is drawn at the scale 1: three times as many took 19 s and came out white. */
const SCALED_ROWS = 16_000
const MOST_ROWS: Readonly<Record<PictureType, number>> = { png: 30_000, jpeg: 30_000, webp: 16_383 }
/** Larger ones take hundreds of megabytes: one at a time. */
const LARGE_PIXELS = 8_000_000

let large: Promise<unknown> = Promise.resolve()

/** The whole page. */
export async function pagePicture(
  session: Session,
  device: Device,
  options: PictureOptions,
): Promise<Picture> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics')
  return take(session, device, options, { ...cssContentSize, x: 0, y: 0, scale: 1 })
}

const box = `async (elements) => {
  const element = elements[0]
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const { x, y, width, height } = element.getBoundingClientRect()
  return JSON.stringify({ x: x + scrollX, y: y + scrollY, width, height })
}`

/** The first of the elements, an array in the page. */
export async function elementPicture(
  session: Session,
  device: Device,
  options: PictureOptions,
  elements: string,
): Promise<Picture> {
  const { value } = await callInPage(session, box, [{ objectId: elements }])
  const rectangle = JSON.parse(String(value)) as Omit<Clip, 'scale'>
  if (rectangle.width < 1 || rectangle.height < 1)
    throw new ForageError(
      'no_match',
      'The first element that the selector matches has no size: it is not shown.',
    )
  return take(session, device, options, { ...rectangle, scale: 1 })
}

async function take(
  session: Session,
  device: Device,
  options: PictureOptions,
  wanted: Clip,
): Promise<Picture> {
  const { clip, note } = fitted(wanted, device.viewport.deviceScaleFactor, options.type)
  const scale = device.viewport.deviceScaleFactor * clip.scale
  const pixels = clip.width * clip.height * scale * scale
  const shoot = () => withBackground(session, options.background, () => capture(session, options, clip))
  const bytes = pixels > LARGE_PIXELS ? await inTurn(shoot) : await shoot()
  // The browser gives nothing at all, and no error, for what its encoder cannot take.
  if (bytes.length === 0)
    throw new ForageError('too_large', `The browser cannot make a ${options.type} of this size.`)
  const size = pictureSize(bytes, options.type)
  return { bytes, type: options.type, ...size, ...(note !== undefined && { note }) }
}

function fitted(wanted: Clip, deviceScale: number, type: PictureType): { clip: Clip; note?: string } {
  const width = Math.ceil(wanted.width)
  const height = Math.ceil(wanted.height)
  const isScaled = Math.max(width, height) * deviceScale > SCALED_ROWS && deviceScale > 1
  const scale = isScaled ? 1 / deviceScale : 1
  const most = MOST_ROWS[type] / (isScaled ? 1 : deviceScale)
  const clip = {
    x: Math.floor(wanted.x),
    y: Math.floor(wanted.y),
    width: Math.min(width, most),
    height: Math.min(height, most),
    scale,
  }
  const notes = [
    ...(isScaled ? [`drawn at the scale 1 instead of ${deviceScale}`] : []),
    ...(height > clip.height || width > clip.width
      ? [`clipped: the page is ${width} × ${height}, a ${type} may have ${MOST_ROWS[type]} rows`]
      : []),
  ]
  return notes.length === 0 ? { clip } : { clip, note: notes.join('; ') }
}

async function capture(session: Session, { type, quality }: PictureOptions, clip: Clip): Promise<Buffer> {
  const { data } = await session.send('Page.captureScreenshot', {
    format: type,
    ...(type !== 'png' && { quality: Math.round(quality ?? 100) }),
    clip,
    captureBeyondViewport: true,
    optimizeForSpeed: type === 'png',
  })
  return Buffer.from(data, 'base64')
}

const setBackground = `value => {
  if (!CSS.supports('background', value)) return false
  for (const element of [document.documentElement, document.body]) element?.style.setProperty('background', value, 'important')
  return true
}`
const resetBackground = `() => {
  for (const element of [document.documentElement, document.body]) element?.style.removeProperty('background')
}`

/** The background is the page's only while the picture is taken. */
async function withBackground<T>(
  session: Session,
  background: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (background === undefined) return work()
  const { value } = await callInPage(session, setBackground, [{ value: background }])
  if (value !== true) throw badBackground()
  const isTransparent = background.trim() === 'transparent'
  if (isTransparent)
    await session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
  try {
    return await work()
  } finally {
    if (isTransparent) await session.send('Emulation.setDefaultBackgroundColorOverride', {})
    await callInPage(session, resetBackground)
  }
}

function badBackground(): ForageError {
  const message = 'is not a background as CSS writes them, such as transparent, #fff or linear-gradient(…)'
  return new ForageError('invalid_request', `Not valid in the body: $.background ${message}`, {
    errors: [{ path: '$.background', message, in: 'body' }],
  })
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = large.then(work, work)
  large = mine.catch(() => {})
  return mine
}
