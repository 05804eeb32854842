import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright-core'
import { examplesOn } from '../../web/query/examples.ts'
import { serve } from '../support/forage.ts'
import { accessibilityFaults, startApplication } from './support.ts'

const application = await startApplication()
const key = application.served.key
const run = promisify(execFile)
const launcher = fileURLToPath(new URL('../../bin/forage.mjs', import.meta.url))

const page = await application.signedIn('/', { permissions: ['clipboard-read', 'clipboard-write'] })
after(() => page.close())

const editorOf = (of: Page): Locator => of.getByRole('textbox', { name: 'Query' })
const textOf = async (of: Page): Promise<string> =>
  (await editorOf(of).locator('.cm-line').allInnerTexts()).join('\n').replaceAll('\u200b', '')
const problems = page.getByRole('group', { name: 'What is wrong' })
const runButton = page.getByRole('button', { name: 'Run', exact: true })
const state = (of: Page, word: string): Promise<void> =>
  of.getByRole('status').getByText(word, { exact: true }).waitFor()

/** In its first moments the list takes no key: what was typed before it came was not meant for it. */
const accept = async (keys: string): Promise<void> => {
  await page.evaluate('new Promise(resolve => setTimeout(resolve, 100))')
  await page.keyboard.press(keys)
}

/** Replaces what is in the editor, all at once. */
async function write(of: Page, text: string): Promise<void> {
  await editorOf(of).click()
  await of.keyboard.press('ControlOrMeta+a')
  await of.keyboard.insertText(text)
}

async function open(path: string): Promise<void> {
  await page.goto(application.served.address + path)
  await editorOf(page).waitFor()
}

async function ask<T>(path: string): Promise<T> {
  const response = await fetch(application.served.address + path, {
    headers: { authorization: `svc ${key}` },
  })
  return (await response.json()) as T
}

async function dispatch(query: string): Promise<{ query: string; status: string; rows: number }> {
  const response = await fetch(`${application.served.address}/v1/sirp/query/runner/dispatch?limit=0`, {
    method: 'POST',
    headers: { authorization: `svc ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  return (await response.json()) as { query: string; status: string; rows: number }
}

test('the first view is small, and all of it is ours', async () => {
  const fresh = await page.context().newPage()
  const sizes: Promise<number>[] = []
  fresh.on('response', response => {
    assert.equal(new URL(response.url()).origin, application.served.address)
    if (/\.(?:js|css)$/.test(response.url())) sizes.push(response.body().then(body => gzipSync(body).length))
  })
  await fresh.goto(application.served.address)
  await editorOf(fresh).waitFor()
  await fresh.getByRole('button', { name: /Prices of the shop/ }).waitFor()
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
  await fresh.close()
  assert.ok(sizes.length > 5, 'the files of the page were counted')
  assert.ok(total < 400_000, `${total} bytes, gzipped`)
})

test('mistakes are underlined while one writes, and a click repairs them', async () => {
  await open('/')
  await page.keyboard.type('rnage 1 5 n')
  await page.locator('.cm-lintRange-error', { hasText: 'rnage' }).waitFor()
  await problems.getByText('There is no command rnage.').waitFor()
  await problems.getByRole('button', { name: 'Change to range' }).click()
  await problems.waitFor({ state: 'detached' })
  assert.equal(await textOf(page), 'range 1 5 n')

  // The same from the mark itself.
  await write(page, 'range 1 5 n || sort n --ordr descending')
  await page.locator('.cm-lintRange-error').first().hover()
  await page
    .locator('.cm-tooltip-lint')
    .getByRole('button', { name: /--order/ })
    .click()
  assert.equal(await textOf(page), 'range 1 5 n || sort n --order descending')
  await problems.waitFor({ state: 'detached' })

  // A click on the words leads to the place.
  await write(page, 'range 1 5 n\n|| hed 3')
  await problems.getByText('line 2, column 4').click()
  await page.keyboard.press('Delete')
  await page.keyboard.insertText('H')
  assert.equal(await textOf(page), 'range 1 5 n\n|| Hed 3')
})

test('completion by keyboard: commands with their help, flags, and columns of the last run', async () => {
  await open('/')
  await write(page, '')
  await page.keyboard.type('rang')
  const first = page.getByRole('option').first()
  await first.waitFor()
  assert.match(await first.innerText(), /^range/)
  await page
    .locator('.cm-completionInfo')
    .getByText(/a row for each number/)
    .first()
    .waitFor()
  await accept('Enter')
  assert.equal((await textOf(page)).trimEnd(), 'range')
  await page.keyboard.press('Escape')
  await page.keyboard.type('1 5 number')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.waitForURL(/\/queries\//)
  await state(page, 'Completed')

  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type(' || sort nu')
  await page.getByRole('option', { name: /^number\s*column/ }).waitFor()
  await accept('Tab')
  await page.keyboard.type(' --ord')
  await page.getByRole('option', { name: /^--order/ }).waitFor()
  await accept('Enter')
  await page.getByRole('option', { name: /^descending/ }).waitFor()
  await accept('ArrowDown')
  await page.keyboard.press('Enter')
  assert.equal(await textOf(page), 'range 1 5 number || sort number --order descending')

  // Whoever goes by keyboard gets out again.
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await runButton.and(page.locator(':focus')).waitFor()
})

test('help under the pointer', async () => {
  await write(page, 'range 1 5 n || head 2 --where "n > 1"')
  await page.locator('.fq-command', { hasText: 'head' }).hover()
  await page.locator('.cm-tooltip').getByText('head').first().waitFor()
  await page.locator('.fq-flag', { hasText: '--where' }).hover()
  await page.locator('.cm-tooltip').getByText('Keeps only the rows of the output').waitFor()
})

test('an example runs to its end, keeps its address, and shows each stage', async () => {
  await open('/')
  await page.getByRole('button', { name: /^An API, page by page/ }).click()
  await page.waitForURL(/\/queries\//)
  await state(page, 'Completed')
  const stages = page.getByRole('list', { name: 'Stages' }).getByRole('button')
  assert.equal(await stages.count(), 5)
  assert.equal(await stages.last().getAttribute('aria-pressed'), 'true')
  await stages.last().getByText('5 rows').waitFor()
  await stages.first().click()
  assert.equal(await stages.first().getAttribute('aria-pressed'), 'true')
  await stages.first().getByText('6 rows').waitFor()

  const written = await textOf(page)
  assert.match(written, /^api get http:\/\/127\.0\.0\.1:\d+\/api\/products/)
  await page.reload()
  await state(page, 'Completed')
  assert.equal(await textOf(page), written)
  await page.goBack()
  await page.getByRole('heading', { name: 'Examples' }).waitFor()
})

test('all ten examples give rows', async () => {
  const examples = examplesOn(application.demo)
  await open('/')
  const cards = page.locator('section', { has: page.getByRole('heading', { name: 'Examples' }) })
  const shown = await cards.getByRole('button').allInnerTexts()
  assert.deepEqual(
    shown.map(text => text.split('\n')[0]),
    examples.map(({ title }) => title),
  )
  assert.equal(examples.length, 10)
  const ends = await Promise.all(examples.map(({ query }) => dispatch(query)))
  for (const { query, status, rows } of ends) assert.ok(status === 'completed' && rows > 0, query)
})

/** Goes on until it is stopped, or for some seconds. */
const slow = (jobs: number): string =>
  `range 1 ${jobs} n\n|| api get ${application.demo}/slow?ms=200&n=$n$ --concurrency 2 --cache false\n|| stats "count() as n"`

test('a query at work fills its stages, and can be cancelled', async () => {
  await open('/')
  await write(page, slow(2000))
  await runButton.click()
  await state(page, 'Running')
  const stages = page.getByRole('list', { name: 'Stages' }).getByRole('button')
  await stages.nth(0).getByText('2,000 rows').waitFor()
  await stages
    .nth(1)
    .getByText(/^[1-9]\d* of 2,000$/)
    .waitFor()
  await stages.nth(2).getByText('waits for its turn').waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await state(page, 'Cancelled')
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' })
})

test('a stage that waits for a domain says for how long', async () => {
  const response = await fetch(`${application.served.address}/v1/gonogo/policies`, {
    method: 'POST',
    headers: { authorization: `svc ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'slowly', domain: 'localhost', policy: { perMinute: 2 } }),
  })
  const { id } = (await response.json()) as { id: string }
  assert.equal(response.status, 201)
  await open('/')
  const address = application.demo.replace('127.0.0.1', 'localhost')
  await write(page, `range 1 5 n || api get ${address}/api/item/$n$ --cache false`)
  await page
    .getByText('a request for each row')
    .or(page.getByText(/at least/))
    .first()
    .waitFor()
  await runButton.click()
  await page.getByText(/waits \d+ s for localhost/).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await state(page, 'Cancelled')
  await fetch(`${application.served.address}/v1/gonogo/policies/${id}`, {
    method: 'DELETE',
    headers: { authorization: `svc ${key}` },
  })
})

test('what only the server knows is wrong is shown in the same way', async () => {
  await open('/')
  await write(page, 'range 1 2 n || freeze --store nowhere')
  await runButton.click()
  await page.locator('.cm-lintRange-error', { hasText: 'nowhere' }).waitFor()
  await problems
    .getByText(/nowhere/)
    .first()
    .waitFor()
  assert.equal(new URL(page.url()).pathname, '/')
})

test('a query that fails says why, where, and leads there', async () => {
  await open('/')
  await write(page, 'seed [{a: 1}]\n|| assert "a > 5" --message "too small"')
  await page.keyboard.press('ControlOrMeta+Enter')
  await state(page, 'Failed')
  const alert = page.getByRole('alert')
  await alert.getByText(/too small/).waitFor()
  await alert.getByRole('button', { name: /line 2/ }).click()
  await editorOf(page).and(page.locator(':focus')).waitFor()
})

test('a query that is deleted elsewhere while it runs is said to be gone, and its text stays', async () => {
  await open('/')
  await write(page, slow(2001))
  await runButton.click()
  await state(page, 'Running')
  const written = await textOf(page)
  const { pathname } = new URL(page.url())
  const { status } = await fetch(`${application.served.address}/v1/sirp${pathname}`, {
    method: 'DELETE',
    headers: { authorization: `svc ${key}` },
  })
  assert.equal(status, 204)
  await page.getByRole('alert').getByText('There is no query').waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor({ state: 'detached' })
  assert.equal(await textOf(page), written)
})

test('changes that were not run are there again, and can be taken back', async () => {
  const ran = 'seed [{a: 1}, {a: 2}]'
  const note = page.getByText('The text was changed after this run.')
  await open('/')
  await write(page, ran)
  await runButton.click()
  await state(page, 'Completed')
  await write(page, `${ran} || head 1`)
  await note.waitFor()
  await page.getByRole('link', { name: 'Schedules', exact: true }).click()
  await page.getByRole('heading', { name: 'Schedules' }).waitFor()
  await page.goBack()
  await note.waitFor()
  assert.equal(await textOf(page), `${ran} || head 1`)
  await page.getByRole('button', { name: 'Take the changes back' }).click()
  await note.waitFor({ state: 'detached' })
  assert.equal(await textOf(page), ran)
  await page.reload()
  await state(page, 'Completed')
  assert.equal(await textOf(page), ran)
})

test('whoever goes to another page while a query is sent stays there, and sends it once', async () => {
  await open('/')
  await write(page, 'seed [{once: 1}]')
  let sent = 0
  const go = Promise.withResolvers<void>()
  await page.route('**/dispatch', async route => {
    sent++
    await go.promise
    await route.continue()
  })
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('link', { name: 'Queries', exact: true }).click()
  await page.getByRole('heading', { name: 'Queries' }).waitFor()
  const answered = page.waitForResponse('**/dispatch')
  go.resolve()
  await (await answered).finished()
  await page.getByRole('table').getByText('seed [{once: 1}]').waitFor()
  await page.unroute('**/dispatch')
  assert.equal(sent, 1)
  assert.equal(new URL(page.url()).pathname, '/queries')
})

test('addresses: a text to begin with, a query that is not there', async () => {
  await open(`/?q=${encodeURIComponent('range 1 3 n || head 2')}`)
  await page.getByRole('list', { name: 'Stages' }).getByText('head').waitFor()
  assert.equal(await textOf(page), 'range 1 3 n || head 2')
  await open('/queries/00000000-0000-4000-8000-000000000000')
  await page
    .getByRole('alert')
    .getByText(/no query|not found|There is no/i)
    .waitFor()
})

test('format, by button and by key', async () => {
  await open('/')
  await write(page, 'RANGE 1 3 n||head   2')
  await page.getByRole('button', { name: 'Format' }).click()
  assert.equal(await textOf(page), 'range 1 3 n\n|| head 2')
  await write(page, 'range 1 3 n||head   1')
  await page.keyboard.press('Shift+Alt+F')
  assert.equal(await textOf(page), 'range 1 3 n\n|| head 1')
})

test('the last queries come back by key and by menu', async () => {
  for (const text of ['range 1 2 older', 'range 1 2 newer']) {
    await open('/')
    await write(page, text)
    await runButton.click()
    await page.waitForURL(/\/queries\//)
    await state(page, 'Completed')
  }
  await open('/')
  await write(page, 'range 1 2 now')
  const press = async (keys: string, text: string) => {
    await page.keyboard.press(keys)
    await editorOf(page).getByText(text).waitFor()
  }
  await press('Control+ArrowUp', 'range 1 2 newer')
  await press('Control+ArrowUp', 'range 1 2 older')
  await press('Control+ArrowDown', 'range 1 2 newer')
  await press('Control+ArrowDown', 'range 1 2 now')
  await page.getByRole('button', { name: 'Last queries' }).click()
  await page.getByRole('menuitem', { name: /range 1 2 older/ }).click()
  assert.equal(await textOf(page), 'range 1 2 older')
})

test('how it is run', async () => {
  await page.getByRole('button', { name: 'How it is run' }).click()
  await page.getByText('Only the result').click()
  await page.getByLabel('Seconds that the results are kept').fill('600')
  await page.getByLabel('Summarise each column at the end').check()
  await page.keyboard.press('Escape')
  await runButton.click()
  await page.waitForURL(/\/queries\//)
  await state(page, 'Completed')
  const id = new URL(page.url()).pathname.split('/').at(-1)
  const { mode, ttl, summary } = await ask<Record<string, unknown>>(`/v1/sirp/queries/${id}`)
  assert.deepEqual({ mode, ttl, summary }, { mode: 'turbo', ttl: 600, summary: true })
})

test('a query becomes a template and a schedule', async () => {
  const more = page.getByRole('button', { name: 'More actions' })
  await open(`/?q=${encodeURIComponent('range 1 $template.most$ n')}`)
  await more.click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('numbers')
  await dialog.getByLabel('Description').fill('Numbers up to the most')
  await dialog.getByRole('button', { name: 'Make the template' }).click()
  await page.getByText('The template is made.').waitFor()
  const templates = await ask<{ items: { name: string; query: string }[] }>('/v1/sirp/templates')
  assert.deepEqual(
    templates.items.map(({ name, query }) => [name, query]),
    [['numbers', 'range 1 $template.most$ n']],
  )

  await open(`/?q=${encodeURIComponent('range 1 3 n')}`)
  await more.click()
  await page.getByRole('menuitem', { name: 'Schedule' }).click()
  await dialog.getByText('At set times').click()
  await dialog.getByLabel('Cron').fill('61 * * * *')
  await dialog.getByRole('button', { name: 'Make the schedule' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Cron').fill('30 6 * * 1-5')
  await dialog.getByLabel('Time zone').fill('Zurich')
  await page.getByRole('option', { name: 'Europe/Zurich' }).click()
  await dialog.getByRole('button', { name: 'Make the schedule' }).click()
  await page.getByText('The schedule is made and enabled.').waitFor()
  const schedules = await ask<{ items: Record<string, unknown>[] }>('/v1/sirp/scheduled')
  assert.deepEqual(
    schedules.items.map(({ query, cron, timeZone, overlap }) => ({ query, cron, timeZone, overlap })),
    [{ query: 'range 1 3 n', cron: '30 6 * * 1-5', timeZone: 'Europe/Zurich', overlap: 'skip' }],
  )
})

test('what is copied works in a shell', async () => {
  const awkward = `seed [{a: "it's $5\\n"}]\n|| eval b "concat(a, '!')" /* \`$(echo no)\` */`
  await open('/')
  await write(page, awkward)
  const copied = async (name: string, message: RegExp): Promise<string> => {
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name }).click()
    await page.getByText(message).waitFor()
    return page.evaluate<string>('navigator.clipboard.readText()')
  }
  const curl = await copied('Copy as curl', /Copied for curl/)
  const answer = await run('sh', ['-c', curl], { env: { ...process.env, FORAGE_KEY: key } })
  assert.deepEqual(JSON.parse(answer.stdout).results, [{ content: { a: "it's $5\n", b: "it's $5\n!" } }])

  const line = await copied('Copy as command line', /command line is copied/)
  const words = `forage() { "${process.execPath}" "${launcher}" "$@"; }; ${line} --format json`
  const printed = await run('sh', ['-c', words], { env: { ...process.env, FORAGE_DATA: application.data } })
  assert.equal(JSON.parse(printed.stdout)[0].b, "it's $5\n!")

  const link = await copied('Copy link', /link is copied/)
  await page.goto(link)
  await editorOf(page).getByText('eval').waitFor()
  assert.equal(await textOf(page), awkward)
})

test('the reference of commands is searched, read and tried', async () => {
  await page.goto(`${application.served.address}/commands`)
  await page.getByLabel('Search').fill('filldown')
  await page.getByRole('button', { name: /^filldown/ }).click()
  await page.getByText('COLUMNS…').first().waitFor()
  assert.equal(await page.getByRole('button', { name: /^sort/ }).count(), 0)
  await page.getByRole('link', { name: /^Try/ }).first().click()
  await editorOf(page).getByText('filldown').waitFor()
  await runButton.click()
  await page.waitForURL(/\/queries\//)
  await state(page, 'Completed')
})

test('nothing keeps anybody from using the page, wide or narrow, light or dark', async () => {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [400, 'dark'],
  ] as const) {
    const own = await application.signedIn('/', { viewport: { width, height: 800 }, colorScheme })
    const check = async () => {
      assert.deepEqual(await accessibilityFaults(own), [])
      assert.equal(await own.evaluate('document.documentElement.scrollWidth'), width)
    }
    await editorOf(own).waitFor()
    await own.getByRole('heading', { name: 'Examples' }).waitFor()
    await check()
    await write(own, 'range 1 5 n || hed 2')
    await own.getByRole('group', { name: 'What is wrong' }).waitFor()
    await check()
    await own.getByRole('button', { name: 'More actions' }).click()
    await own.getByRole('menuitem', { name: 'Schedule' }).click()
    await own.getByRole('dialog').getByLabel('Minutes between two runs').waitFor()
    await check()
    await own.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await own.getByRole('dialog').waitFor({ state: 'detached' })
    await write(own, `range 1 5 n${'\n|| eval sq "n * n"'.repeat(30)}\n|| head 2`)
    await own.getByRole('button', { name: 'Run', exact: true }).click()
    await own.waitForURL(/\/queries\//)
    await state(own, 'Completed')
    await own.getByRole('list', { name: 'Stages' }).getByText('2 rows').waitFor()
    await own.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' })
    await check()
    await own.goto(`${application.served.address}/commands`)
    await own.getByLabel('Search').fill('keeps the rows')
    await own.getByRole('button', { name: /^filter/ }).click()
    await own.getByRole('link', { name: /^Try/ }).first().waitFor()
    await check()
    await own.context().close()
  }
})

test('a restart in the middle: the page says so, and the query goes on', async () => {
  await open('/')
  await write(page, slow(30))
  await runButton.click()
  await page.getByText(/^[1-9]\d* of 30$/).waitFor()
  const { port } = new URL(application.served.address)
  const demo = new URL(application.demo).port
  await application.served.end('SIGKILL')
  await page.getByText(/Forage does not answer/).waitFor()
  application.served = await serve(application.data, { FORAGE_PORT: port, FORAGE_DEMO_PORT: demo })
  await page.getByText(/Forage does not answer/).waitFor({ state: 'detached' })
  await state(page, 'Completed')
  const stages = page.getByRole('list', { name: 'Stages' }).getByRole('button')
  await stages.nth(1).getByText('30 rows').waitFor()
})

test('without the demo site there are no examples, and the page says why', async () => {
  const { port } = new URL(application.served.address)
  await application.served.end()
  application.served = await serve(application.data, { FORAGE_PORT: port, FORAGE_DEMO: 'false' })
  await open('/')
  await page.getByText('The demo site is off').waitFor()
  assert.equal(await page.getByRole('button', { name: /Prices of the shop/ }).count(), 0)
})
