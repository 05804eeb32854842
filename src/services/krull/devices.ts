// The list alone: the package as a whole takes 170 ms to load, at every start.
import { KnownDevices } from 'puppeteer-core/internal/common/Device.js'
import { ForageError } from '../../errors.ts'
import { nearest } from '../../language/nearest.ts'

export interface Viewport {
  readonly width: number
  readonly height: number
  readonly deviceScaleFactor: number
  readonly isMobile: boolean
  readonly hasTouch: boolean
  readonly isLandscape: boolean
}

/** What a page takes its visitor for. */
export interface Device {
  readonly name: string
  readonly userAgent: string
  readonly viewport: Viewport
  readonly platform?: string
  /** Client hints; only what calls itself Chrome sends them. */
  readonly metadata?: {
    readonly brands: { readonly brand: string; readonly version: string }[]
    readonly platform: string
    readonly platformVersion: string
    readonly architecture: string
    readonly model: string
    readonly mobile: boolean
  }
}

export const DEFAULT_DEVICE = 'iPhone 17' satisfies keyof typeof KnownDevices
const DESKTOP = 'Desktop'

/** Every device for one version of the browser: puppeteer's list, and a desktop. */
export class Devices {
  readonly #devices: ReadonlyMap<string, Device>

  /** `version` is what the browser says of itself: `Chromium 156.0.1.2`. */
  constructor(version: string) {
    const major = /(\d+)\.\d+\.\d+/.exec(version)?.[1] ?? '0'
    const known = Object.entries(KnownDevices).map(
      ([name, { userAgent, viewport }]) => [name, knownDevice(name, userAgent, viewport, major)] as const,
    )
    this.#devices = new Map([[DESKTOP, desktop(major)], ...known])
  }

  get default(): Device {
    return this.#devices.get(DEFAULT_DEVICE)!
  }

  all(): readonly Device[] {
    return [...this.#devices.values()]
  }

  /** By name; without one the default. */
  named(name: string | undefined): Device {
    if (name === undefined) return this.default
    const device = this.#devices.get(name)
    if (device) return device
    const close = nearest(name, [...this.#devices.keys()])
    const message = `is not a device${close === undefined ? '' : `; did you mean "${close}"?`} GET /v1/krull/devices lists them`
    throw new ForageError('invalid_request', `Not valid in the body: $.device ${message}`, {
      errors: [{ path: '$.device', message, in: 'body' }],
    })
  }
}

type Given = (typeof KnownDevices)[keyof typeof KnownDevices]['viewport']

/** The list has user agents of years ago; those that are of this browser's kind get its version. */
function knownDevice(name: string, userAgent: string, given: Given, major: string): Device {
  const viewport: Viewport = {
    width: given.width,
    height: given.height,
    deviceScaleFactor: given.deviceScaleFactor ?? 1,
    isMobile: given.isMobile ?? false,
    hasTouch: given.hasTouch ?? false,
    isLandscape: given.isLandscape ?? false,
  }
  const android = /Android ([\d.]+); ([^;)]+)\).*Chrome\//.exec(userAgent)
  if (!android) return { name, userAgent, viewport, platform: /iPad|iPhone/.exec(userAgent)?.[0] ?? '' }
  const [, platformVersion = '', model = ''] = android
  return {
    name,
    userAgent: userAgent.replace(/Chrome\/[\d.]+/, `Chrome/${major}.0.0.0`),
    viewport,
    platform: 'Linux armv81',
    metadata: {
      brands: brands(major),
      platform: 'Android',
      platformVersion,
      architecture: '',
      model: model.replace(/ Build.*/, ''),
      mobile: /Mobile/.test(userAgent),
    },
  }
}

const desktop = (major: string): Device => ({
  name: DESKTOP,
  userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`,
  viewport: {
    width: 1280,
    height: 800,
    deviceScaleFactor: 1,
    isMobile: false,
    hasTouch: false,
    isLandscape: true,
  },
  platform: 'Linux x86_64',
  metadata: {
    brands: brands(major),
    platform: 'Linux',
    platformVersion: '',
    architecture: 'x86',
    model: '',
    mobile: false,
  },
})

const brands = (major: string) => [
  { brand: 'Chromium', version: major },
  { brand: 'Not)A;Brand', version: '24' },
]
