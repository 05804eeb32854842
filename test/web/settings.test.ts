import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { accessibilityFaults, startApplication, USER } from './support.ts'

const files = await mkdtemp(join(tmpdir(), 'forage-files-'))
after(() => rm(files, { recursive: true, force: true }))
const application = await startApplication({ FORAGE_FILES: files })
const { address, key } = application.served
/** One for all: signing in takes longer than most of what is done here. */
const page = await application.signedIn('/stores')

async function open(path: string): Promise<void> {
  await page.goto(`${address}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** What the outside world is in these tests: it takes rows, gives tokens, and remembers who asked with what. */
const outside = createServer(answer).listen(0, '127.0.0.1')
await once(outside, 'listening')
const outsideUrl = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
outside.unref()
const authorizations: (string | undefined)[] = []

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url!, outsideUrl)
  authorizations.push(request.headers.authorization)
  request.resume()
  if (url.pathname === '/authorize') {
    const back = new URL(url.searchParams.get('redirect_uri')!)
    back.searchParams.set('state', url.searchParams.get('state')!)
    back.searchParams.set('code', 'the-code')
    response.writeHead(302, { location: back.href }).end()
  } else {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ access_token: 'given', expires_in: 3600 }))
  }
}

/** Resolves when the outside has been asked because of it. */
async function asked(act: () => Promise<unknown>): Promise<void> {
  await Promise.all([once(outside, 'request'), act()])
}

const call = (method: string, path: string, body?: object, asKey = key): Promise<Response> =>
  fetch(`${address}${path}`, {
    method,
    headers: { authorization: `svc ${asKey}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })

const row = (name: string, on = page): Locator =>
  on.getByRole('row').filter({ has: on.getByText(name, { exact: true }) })
const dialog = page.getByRole('dialog')
const press = (where: Page | Locator, name: string): Promise<void> =>
  where.getByRole('button', { name, exact: true }).click()

/** A field of the form that is open; required ones have a star at the end. */
const field = (label: string): Locator => dialog.getByLabel(new RegExp(`^${label}( \\*)?$`))

async function choose(label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

async function deleteRow(name: string): Promise<void> {
  await press(page, `Delete ${name}`)
  await press(dialog, 'Delete')
  await row(name).waitFor({ state: 'detached' })
}

describe('stores', () => {
  test('one is made by the form of its type, tested, used by a stream, and deleted', async () => {
    await open('/stores')
    await page.getByText('There are no stores yet').waitFor()
    await press(page, 'New store')
    await choose('Type', 'SQL database')
    await field('Name').fill('shop data')
    await press(dialog, 'Save')
    await dialog.getByText('engine', { exact: false }).first().waitFor()
    await choose('Engine', 'sqlite')
    await field('File').fill('shop.db')
    await field('Table').fill('prices')
    await dialog.getByRole('switch', { name: 'Create' }).check()
    await press(dialog, 'Save')
    await row('shop data').getByText('freeze --store "shop data"').waitFor()
    await press(page, 'Test shop data')
    await row('shop data').getByText('It answers.').waitFor()

    await press(page, 'New stream')
    await field('Name').fill('prices')
    await press(dialog, 'Create the stream')
    await press(page, 'Write rows to prices')
    await field('Rows').fill('{"name": "apple"}\n{"name"}')
    await press(dialog, 'Write')
    await dialog.getByRole('alert').getByText('Line 2 is not JSON').waitFor()
    await field('Rows').fill('{"name": "apple"}\n{"name": "pear"}')
    await press(dialog, 'Write')
    await page.getByText('shop data took 2 rows.').waitFor()

    await deleteRow('prices')
    await deleteRow('shop data')
    await page.getByText('There are no stores yet').waitFor()
  })

  test('a secret that is not touched is kept, another takes its place, and a failed test says why', async () => {
    await open('/stores')
    await press(page, 'New store')
    await field('Name').fill('hook')
    await field('URL').fill(`${outsideUrl}/rows`)
    await field('Bearer').fill('first')
    await dialog.getByRole('button', { name: 'Add to Headers' }).first().click()
    await field('Headers: name 1').fill('X-Shop')
    await field('Headers: value 1').fill('demo')
    await press(dialog, 'Save')
    await row('hook').waitFor()
    const write = () =>
      call('POST', '/v1/mentos/streams/write', { config: { store: 'hook', rows: [{ a: 1 }] } })

    await press(page, 'Edit hook')
    assert.equal(await field('Bearer').getAttribute('placeholder'), '********')
    assert.equal(await field('Headers: value 1').inputValue(), 'demo')
    await field('Timeout').fill('20')
    await press(dialog, 'Save')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await write()).status, 200)
    assert.equal(authorizations.at(-1), 'Bearer first')

    await press(page, 'Edit hook')
    assert.equal(await field('Timeout').inputValue(), '20')
    await field('Bearer').fill('second')
    await field('URL').fill('not an address')
    await press(dialog, 'Save')
    await dialog.getByRole('alert').waitFor()
    assert.equal(await field('URL').getAttribute('aria-invalid'), 'true')
    await field('URL').fill(`${outsideUrl}/rows`)
    await press(dialog, 'Save')
    await dialog.waitFor({ state: 'detached' })
    assert.equal((await write()).status, 200)
    assert.equal(authorizations.at(-1), 'Bearer second')

    await press(page, 'Edit hook')
    await field('URL').fill('http://127.0.0.1:9/closed')
    await press(dialog, 'Save')
    await dialog.waitFor({ state: 'detached' })
    await press(page, 'Test hook')
    await row('hook')
      .getByRole('status')
      .getByText(/connect|refused|reach/i)
      .waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
  })
})

describe('credentials', () => {
  test('hosts change while the secret stays', async () => {
    await open('/credentials')
    await press(page, 'New credential')
    await choose('Type', 'Custom value')
    await field('Name').fill('shop')
    await field('Value').fill('Token hidden')
    await press(dialog, 'Save')
    await row('shop').getByText('any').waitFor()
    await press(page, 'Edit shop')
    await field('Hosts').fill('127.0.0.1')
    await field('Hosts').press('Enter')
    await press(dialog, 'Save')
    await row('shop').getByText('127.0.0.1').waitFor()
    await asked(() =>
      call('POST', '/v1/sirp/query/runner/dispatch', {
        query: `api get ${outsideUrl}/asked --credentials.custom shop`,
      }),
    )
    assert.equal(authorizations.at(-1), 'Token hidden')
    await deleteRow('shop')
  })

  test('OAuth: connected by the yes of a person', async () => {
    await open('/credentials')
    await press(page, 'New credential')
    await field('Name').fill('drive')
    await choose('Grant type', 'authorization_code')
    await dialog.getByText(`${address}/oauth/callback`).waitFor()
    await field('Token URL').fill(`${outsideUrl}/token`)
    await field('Authorization URL').fill(`${outsideUrl}/authorize`)
    await field('Client id').fill('forage')
    await press(dialog, 'Save')
    await row('drive').getByText('Not connected').waitFor()
    await press(page, 'Connect drive')
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    await page.getByRole('link', { name: 'Back to Forage' }).click()
    await row('drive').getByText('Connected', { exact: true }).waitFor()
    await row('drive').getByText(/^ends/).waitFor()
  })
})

describe('named values', () => {
  for (const noun of ['prompt', 'checkpoint'])
    test(`a ${noun} is written, changed and deleted`, async () => {
      const label = noun === 'prompt' ? 'Prompt' : 'Checkpoint'
      await open(`/${noun}s`)
      await press(page, `New ${noun}`)
      await field('Name').fill('seen')
      await field(label).fill('first')
      await press(dialog, 'Save')
      await row('seen').getByText('first').waitFor()
      await press(page, 'Edit seen')
      await field(label).fill('second')
      await press(dialog, 'Save')
      await row('seen').getByText('second').waitFor()
      await press(page, `New ${noun}`)
      await field('Name').fill('seen')
      await field(label).fill('third')
      await press(dialog, 'Save')
      await page
        .getByRole('alert')
        .getByText(/already/)
        .waitFor()
      await press(dialog, 'Cancel')
      await deleteRow('seen')
    })

  test('a secret is kept and deleted, and its value shown nowhere', async () => {
    await open('/secrets')
    await press(page, 'New secret')
    await field('Name').fill('token')
    await field('Value').fill('hunter2')
    await press(dialog, 'Keep it')
    await row('token').getByText('$SECRETS.token$').waitFor()
    assert.doesNotMatch(await page.content(), /hunter2/)
    await deleteRow('token')
  })

  test('a secret of any name says how it is written, and one that no browser can ask for says so', async () => {
    await open('/secrets')
    for (const [name, token] of [
      ['two words', '$SECRETS.`two words`$'],
      ['..', '$SECRETS.`..`$'],
    ] as const) {
      await press(page, 'New secret')
      await field('Name').fill(name)
      await field('Value').fill('hunter2')
      await press(dialog, 'Keep it')
      await page.getByText(token, { exact: true }).waitFor()
    }
    await press(page, 'Delete ..')
    await press(dialog, 'Delete')
    await page.getByText(/No browser can ask for/).waitFor()
  })
})

describe('domain policies', () => {
  test('one is made, and its meters move while a query asks', async () => {
    await open('/policies')
    await page.getByText('Nobody is asked at the moment').waitFor()
    await press(page, 'New policy')
    await field('Name').fill('The demo shop')
    await field('Domain').fill('not a domain!')
    await field('Per minute').fill('50')
    await press(dialog, 'Save')
    await dialog.getByText('must be a host such as a.b.com').first().waitFor()
    await field('Domain').fill('127.0.0.1')
    await press(dialog, 'Save')
    await row('The demo shop').getByText('50', { exact: true }).waitFor()

    await page.getByLabel('Which policy holds for').fill('127.0.0.1')
    await press(page, 'Ask')
    await page.getByText('127.0.0.1: “The demo shop” for 127.0.0.1 – 50 per minute.').waitFor()

    await call('POST', '/v1/sirp/query/runner/dispatch', {
      query: `range 1 3 n || api get ${outsideUrl}/{n}`,
    })
    const uses = page.getByRole('region', { name: 'Use of the limits' })
    await uses.getByText(/^[1-9]\d* of 50$/).waitFor()
    await uses.getByRole('progressbar', { name: '127.0.0.1, per minute' }).waitFor()
    await press(page, 'Delete The demo shop')
    await press(dialog, 'Delete')
    await page.getByText('There are no policies yet').waitFor()
  })
})

describe('administration', () => {
  test('an API key is shown once, works, and is deleted', async () => {
    await open('/keys')
    await press(page, 'New key')
    await field('Name').fill('reports')
    await press(dialog, 'Make the key')
    const line = await dialog.getByText(/^curl -H/).textContent()
    const made = /svc ([^"]+)/.exec(line!)![1]!
    assert.ok(line!.includes(`${address}/v1/`))
    await press(dialog, 'I have copied it')
    await row('reports').getByText('never').waitFor()
    assert.ok(!(await page.content()).includes(made))
    const status = async () => (await call('GET', '/v1/sirp/services/status', undefined, made)).status
    assert.equal(await status(), 200)
    await deleteRow('reports')
    assert.equal(await status(), 401)
  })

  test('a user is made, signs in, gets another password, and is deleted', async () => {
    await open('/users')
    await row(USER.username).getByText('you').waitFor()
    await press(page, 'New user')
    await field('User name').fill('grace')
    await field('Password').fill('the first one')
    await press(dialog, 'Create the user')
    await row('grace').waitFor()
    const other = await application.open('/users')
    await other.getByLabel('User name').fill('grace')
    await other.getByRole('textbox', { name: 'Password' }).fill('the first one')
    await press(other, 'Sign in')
    await row('grace', other).getByText('you').waitFor()

    await press(page, 'Change password of grace')
    await field('Present password').fill('not this')
    await field('New password').fill('the second one')
    await press(dialog, 'Change the password')
    await dialog.getByRole('alert').getByText('The old password is not right.').waitFor()
    await field('Present password').fill('the first one')
    await press(dialog, 'Change the password')
    await dialog.waitFor({ state: 'detached' })
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in to Forage' }).waitFor()
    await deleteRow('grace')
  })

  test('a service restarts, the browser is described, a bad license is refused with the reason', async () => {
    await open('/services')
    await page
      .getByText(/^Chrom/)
      .first()
      .waitFor()
    assert.equal(await page.getByRole('region', { name: 'Services' }).getByRole('row').count(), 11)
    const restarts = row('almanac').getByRole('cell').nth(3)
    assert.equal(await restarts.textContent(), '0')
    await press(page, 'Restart almanac')
    await press(dialog, 'Restart')
    await row('almanac').getByRole('cell', { name: '1', exact: true }).waitFor()
    await row('almanac').getByText('running').waitFor()

    await press(page, 'Add a license')
    await field('The license').fill('not a license')
    await press(dialog, 'Add the license')
    await page
      .getByRole('alert')
      .getByText(/licen[cs]e/i)
      .waitFor()
  })
})

/** One of each kind of field that a schema can ask for. */
const everything = {
  type: 'object',
  properties: {
    count: { type: 'integer', minimum: 1, title: 'How many' },
    note: { type: 'string', description: 'Anything, in `words`' },
    large: { type: ['boolean', 'null'] },
    size: { enum: [1, 2, 'many'] },
    words: { type: 'array', items: { type: 'string' } },
    colours: { type: 'array', items: { enum: ['red', 'green'] } },
    buyers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { name: { type: 'string' }, loyal: { type: 'boolean' } },
        required: ['loyal'],
      },
    },
    place: { type: 'object', properties: { city: { type: 'string' } } },
    more: { type: 'object' },
  },
  required: ['count'],
}

test('a form asks for every kind of value that a schema can name', async () => {
  const made = await call('POST', '/v1/sirp/templates', {
    name: 'everything',
    description: 'One of each kind',
    query: 'range 1 $template.count$ n',
    templateSchema: everything,
  })
  assert.equal(made.status, 201, await made.text())
  await open('/templates')
  await press(page, 'Run everything')
  await field('Note').fill('one line')
  await dialog.getByRole('switch', { name: 'Large' }).check()
  await choose('Size', '2')
  await field('Words').fill('a, with a comma')
  await field('Words').press('Enter')
  await field('Colours').press('ArrowDown')
  await page.getByRole('option', { name: 'green' }).click()
  await press(dialog, 'Add to Buyers')
  await field('Name').fill('Ada')
  await field('City').fill('Paris')
  await field('City').fill('')
  await field('More').fill('{"depth": 9007199254740993')
  await dialog.getByText('This is not JSON yet.').waitFor()
  await field('More').fill('{"depth": 9007199254740993}')
  await press(dialog, 'Run')
  await dialog.getByText('is required').first().waitFor()
  await field('How many').fill('2')
  const sent = page.waitForRequest(request => request.url().endsWith('/templates/dispatch'))
  await press(dialog, 'Run')
  const body = (await sent).postData()!
  assert.match(body, /"depth":9007199254740993\b/, 'an integer that a double cannot hold')
  assert.deepEqual(JSON.parse(body).values, {
    note: 'one line',
    large: true,
    size: 2,
    words: ['a, with a comma'],
    colours: ['green'],
    buyers: [{ loyal: false, name: 'Ada' }],
    more: { depth: 9007199254740992 },
    count: 2,
  })
})

/** With the button that opens a form worth looking at. */
const pages: readonly (readonly [name: string, button?: string])[] = [
  ['stores', 'New store'],
  ['credentials', 'New credential'],
  ['secrets'],
  ['prompts'],
  ['checkpoints'],
  ['policies', 'New policy'],
  ['keys'],
  ['users'],
  ['services', 'Add a license'],
]

const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

/** Wide in light colours, then narrow in dark ones: loading the page anew for each would take most of the time. */
async function checkLooks(what: string): Promise<void> {
  await page.locator('[aria-label=Loading]:visible').first().waitFor({ state: 'detached' })
  assert.deepEqual(await accessibilityFaults(page), [], `${what}, light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize({ width: 400, height: 800 })
  assert.deepEqual(await accessibilityFaults(page), [], `${what}, dark`)
  // The frame has folded its navigation away by now.
  assert.equal(await page.evaluate(overflow), 0, `${what}, narrow`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1280, height: 800 })
}

test('everybody can use the pages and their forms, light and dark, wide and narrow', async () => {
  for (const [name, button] of pages) {
    await open(`/${name}`)
    await checkLooks(name)
    if (button === undefined) continue
    await press(page, button)
    await dialog.getByRole('textbox').first().waitFor()
    await checkLooks(`${name}, ${button}`)
  }
})
