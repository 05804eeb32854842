import { Browser, detectBrowserPlatform, install, resolveBuildId } from '@puppeteer/browsers'
import { downloadFolder } from './find-browser.ts'

/** Downloads the current chrome-headless-shell to where puppeteer keeps its own; gives its path. */
export async function downloadBrowser(): Promise<string> {
  const platform = detectBrowserPlatform()
  if (platform === undefined) throw new Error('there is no ready-made browser for this kind of machine')
  const browser = Browser.CHROMEHEADLESSSHELL
  const buildId = await resolveBuildId(browser, platform, 'stable')
  const { executablePath } = await install({ browser, buildId, platform, cacheDir: downloadFolder() })
  return executablePath
}
