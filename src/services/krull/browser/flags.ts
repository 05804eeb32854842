/**
 * Single-valued in Chromium: one list, never a second flag. `RenderDocument` makes a new frame for every document, also
 * for the first of an empty page: a quarter of the time of a small page.
 */
const features = [
  'AcceptCHFrame',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'OptimizationHints',
  'RenderDocument',
  'Translate',
]

/**
 * How the browser is started. Not among them: `--disable-ipc-flooding-protection`, with which one page that loops over
 * `history.pushState` hangs the whole browser.
 */
export const browserFlags = (profile: string, sandbox: boolean): string[] => [
  '--headless',
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  ...(sandbox ? [] : ['--no-sandbox']),
  // The browser by itself reaches nothing: only contexts, each of which brings its own proxy, do.
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-pings',
  '--metrics-recording-only',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-client-side-phishing-detection',
  '--disable-default-apps',
  '--disable-extensions',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
  '--disable-prompt-on-repost',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-dev-shm-usage',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  `--disable-features=${features.join(',')}`,
  'about:blank',
]
