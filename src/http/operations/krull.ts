import { declare } from './declare.ts'

export const krull = declare('krull', {
  restartKrull: ['Restart service', 'POST', '/v1/krull/restart'],
  listDevices: ['List of devices', 'GET', '/v1/krull/devices'],
  getBrowserSystem: ['System details', 'GET', '/v1/krull/system'],
  evaluateExpression: ['Evaluate a JavaScript expression', 'POST', '/v1/krull/evaluate'],
  captureRequests: ['Capture all external requests', 'POST', '/v1/krull/requests'],
  evaluateInPage: ['Execute JavaScript within a page', 'POST', '/v1/krull/page/evaluate'],
  evaluateSelector: ['Evaluate a CSS selector', 'POST', '/v1/krull/page/selector'],
  capturePageSession: ['Navigate and capture a page session', 'POST', '/v1/krull/page/session'],
  captureScreenshot: ['Capture a screenshot', 'POST', '/v1/krull/page/screenshot'],
  submitForm: ['Populate and submit a form', 'POST', '/v1/krull/page/form'],
  getSelectorScreenshot: ['Capture a screenshot from a selector', 'GET', '/v1/krull/page/screenshot'],
})

/** The interface document lists six browser operations a second time, outside the group. */
export const browser = declare('krull', {
  browserEvaluateExpression: [
    'Evaluate a JavaScript expression (general list)',
    'POST',
    '/v1/browser/evaluate',
  ],
  browserCaptureRequests: ['Capture all external requests (general list)', 'POST', '/v1/browser/requests'],
  browserEvaluateInPage: [
    'Execute JavaScript within a page (general list)',
    'POST',
    '/v1/browser/page/evaluate',
  ],
  browserEvaluateSelector: ['Evaluate a CSS selector (general list)', 'POST', '/v1/browser/page/selector'],
  browserCaptureScreenshot: ['Capture a screenshot (general list)', 'POST', '/v1/browser/page/screenshot'],
  browserSubmitForm: ['Populate and submit a form (general list)', 'POST', '/v1/browser/page/form'],
})

export const screenshot = declare('screenshot', {
  restartScreenshot: ['Restart the service', 'POST', '/v1/screenshot/restart'],
  getScreenshot: ['Retrieve a screenshot', 'GET', '/v1/screenshot/{hash}'],
})

export const screenshotAdditions = declare(
  'screenshot',
  { listScreenshots: ['Retrieve all screenshots', 'GET', '/v1/screenshot'] },
  true,
)
