import type { Device } from '../devices.ts'
import type { Session } from './connection.ts'

/** The calls that make a page that of a device; none of them reloads it. */
export const emulation = (session: Session, device: Device): readonly Promise<unknown>[] => [
  setMetrics(session, device),
  session.send('Emulation.setTouchEmulationEnabled', {
    enabled: device.viewport.hasTouch,
    ...(device.viewport.hasTouch && { maxTouchPoints: 5 }),
  }),
  setUserAgent(session, device, device.userAgent),
]

function setMetrics(session: Session, { viewport }: Pick<Device, 'viewport'>): Promise<unknown> {
  const { width, height, deviceScaleFactor, isMobile, isLandscape } = viewport
  return session.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor,
    mobile: isMobile,
    screenWidth: width,
    screenHeight: height,
    screenOrientation: isLandscape
      ? { angle: 90, type: 'landscapePrimary' }
      : { angle: 0, type: 'portraitPrimary' },
  })
}

export const setUserAgent = (session: Session, device: Device, userAgent: string): Promise<unknown> =>
  session.send('Emulation.setUserAgentOverride', {
    userAgent,
    ...(device.platform && { platform: device.platform }),
    ...(device.metadata && { userAgentMetadata: device.metadata }),
  })
