import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { cronWords } from '../../web/schedules/cron-words.ts'
import { countdown, minutesWords } from '../../web/schedules/timing-words.ts'
import { accessibilityFaults, startApplication } from './support.ts'

const UPLOAD_LIMIT = 3_000_000
const application = await startApplication({ FORAGE_UPLOAD_LIMIT: String(UPLOAD_LIMIT) })
const { address, key } = application.served
const { demo } = application

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const response = await fetch(`${address}${path}`, {
    method,
    headers: { authorization: `svc ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}
const run = (query: string, headers?: Record<string, string>) =>
  call('POST', '/v1/sirp/query/runner/dispatch', { query }, headers)

const page = await application.signedIn('/queries')
const open = (path: string) => page.goto(`${address}${path}`)
const row = (name: string): Locator => page.getByRole('row').filter({ hasText: name })
const dialog = (on = page): Locator => on.getByRole('dialog')
const press = (where: Page | Locator, name: string): Promise<void> =>
  where.getByRole('button', { name, exact: true }).click()
/** The menu of three dots, and one of its items. */
async function pick(menu: string, item: string): Promise<void> {
  await press(page, menu)
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}
const shows = (where: Page | Locator, text: string | RegExp): Promise<void> =>
  where.getByText(text).first().waitFor()
const csv = (name: string, content: string) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(content),
})

describe('queries', () => {
  test('are listed by pages, searched, filtered, run again and deleted', async () => {
    for (let number = 1; number <= 52; number++) await run(`seed [{n: ${number}}]`)
    await run('seed [{a: 1}] || table nothing')
    await run('range 1 1000 found')
    await open('/queries')
    await shows(page, '1 to 50 of 54')
    await press(page, 'Page 2')
    await shows(page, '51 to 54 of 54')
    await row('seed [{n: 1}]').waitFor()
    await page.getByRole('searchbox').fill('range 1 1000')
    await shows(page, '1 to 1 of 1')
    const found = row('range 1 1000 found')
    assert.match(await found.innerText(), /Completed[\s\S]*1,000/)
    await pick('Actions for range 1 1000 found', 'Run again')
    await page.waitForURL(url => url.searchParams.get('q') === 'range 1 1000 found')
    await page.goBack()
    await shows(page, '1 to 1 of 1')

    await page.getByRole('searchbox').fill('')
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await shows(page, '1 to 1 of 1')
    await shows(page, /There is no column nothing/)
    await page.getByRole('searchbox').fill('nobody wrote this')
    await shows(page, 'No query is like that')

    await open('/queries?text=seed+%5B%7Bn%3A+5')
    await shows(page, '1 to 4 of 4')
    await page.getByRole('checkbox', { name: 'Choose seed [{n: 5}]', exact: true }).check()
    await page.getByRole('checkbox', { name: 'Choose seed [{n: 52}]', exact: true }).check()
    assert.deepEqual(await accessibilityFaults(page), [])
    await press(page, 'Delete 2')
    await dialog().waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await press(dialog(), 'Delete')
    await shows(page, '2 queries are deleted.')
    await shows(page, '1 to 2 of 2')
    const { total } = await call('GET', '/v1/sirp/queries?limit=0')
    assert.equal(total, 52)
    await page.getByRole('link', { name: 'seed [{n: 51}]' }).click()
    await page.waitForURL(/\/queries\/[0-9a-f-]{36}$/)
  })

  test('that run are live, and can be cancelled', async () => {
    const query = `api get "${demo}/slow?ms=30000"`
    await run(query, { prefer: 'respond-async' })
    await open('/queries?text=slow')
    await row('/slow').getByText('Running').waitFor()
    await pick(`Actions for ${query}`, 'Cancel')
    await row('/slow').getByText('Cancelled').waitFor()
  })
})

describe('schedules', () => {
  test('are made, run, shown with their runs, changed, switched off and deleted', async () => {
    await open('/schedules')
    await shows(page, 'Nothing is scheduled')
    await press(page, 'New schedule')
    const form = dialog()
    await form.getByLabel('Query').fill('rnge 1 3 n')
    await form.getByLabel('Minutes between two runs').fill('90')
    await shows(form, /Every 90 minutes/)
    await press(form, 'Make the schedule')
    await shows(form, /Line 1, column 1/)
    await form.getByLabel('Query').fill('range 1 3 n')
    await press(form, 'Make the schedule')
    const card = page.getByRole('article', { name: 'range 1 3 n' })
    await shows(card, 'Every 90 minutes')
    await shows(card, /in 1 h 29 min|in 1 h 30 min/)
    await shows(card, 'It has not run yet.')

    await press(card, 'Run now')
    const block = card
      .getByRole('list', { name: 'Last runs' })
      .getByRole('link', { name: /^Completed .* by hand/ })
    await block.waitFor()
    const [{ id }] = (await call('GET', '/v1/sirp/scheduled')).items
    const [last] = (await call('GET', `/v1/sirp/scheduled/${id}/runs`)).items
    assert.equal(await block.getAttribute('href'), `/queries/${last.queryId}`)

    await press(card, 'Edit')
    await form.getByText('At set times', { exact: true }).click()
    await form.getByLabel('Cron expression').fill('0 25 * * *')
    await shows(form, /no cron expression yet/)
    await press(form, 'Save')
    await shows(form, /must be a cron expression/)
    await form.getByLabel('Cron expression').fill('15 6 * * 1-5')
    await shows(form, /At 06:15 on Monday to Friday\. Next: Mon/)
    await press(form, 'More settings')
    await form.getByLabel('Failures in a row that disable it').fill('2')
    await form.getByLabel('Notes for programs').fill('{"team": "prices"}')
    await press(form, 'Save')
    await form.waitFor({ state: 'detached' })
    await shows(card, /At 06:15 on Monday to Friday \(/)
    const changed = await call('GET', `/v1/sirp/scheduled/${id}`)
    assert.deepEqual(
      [changed.minutes, changed.cron, changed.disableAfter, changed.metadata],
      [0, '15 6 * * 1-5', 2, { team: 'prices' }],
    )

    await press(card, 'Edit')
    await form.getByText('Only by hand', { exact: true }).click()
    await press(form, 'Save')
    await shows(card, 'Only by hand')
    assert.equal((await call('GET', `/v1/sirp/scheduled/${id}`)).cron, null)

    await card.getByRole('switch', { name: 'Enabled' }).press('Space')
    await shows(card, /Disabled/)
    assert.equal((await call('GET', `/v1/sirp/scheduled/${id}`)).enabled, false)
    await pick('More actions', 'Delete')
    await press(dialog(), 'Delete')
    await shows(page, 'Nothing is scheduled')
  })

  test('that failed too often say that they were switched off', async () => {
    const { id } = await call('POST', '/v1/sirp/scheduled', {
      query: 'seed [{a: 1}] || table nothing',
      disableAfter: 1,
    })
    await open('/schedules')
    const card = page.getByRole('article')
    await press(card, 'Run now')
    await card.getByRole('link', { name: /^Failed .* by hand/ }).waitFor()
    await shows(card, 'Switched off after 1 failure in a row.')
    await card.getByRole('switch', { name: 'Enabled' }).press('Space')
    await card.getByText('Switched off').waitFor({ state: 'detached' })
    assert.equal((await call('GET', `/v1/sirp/scheduled/${id}`)).enabled, true)
    await call('DELETE', `/v1/sirp/scheduled/${id}`)
  })

  test('say in words when they run', () => {
    const words: [string, string | undefined][] = [
      ['* * * * *', 'every minute'],
      ['*/5 * * * *', 'every 5 minutes'],
      ['0 * * * *', 'every hour'],
      ['20 * * * *', 'every hour at 20 past'],
      ['0 */6 * * *', 'every 6 hours'],
      ['30 6 * * *', 'every day at 06:30'],
      ['0 6,18 * * *', 'every day at 06:00 and 18:00'],
      ['30 6 * * 1-5', 'at 06:30 on Monday to Friday'],
      ['0 9 * * sat,SUN', 'at 09:00 on Saturday and Sunday'],
      ['0 9 * * 7', 'at 09:00 on Sunday'],
      ['0 0 1 * *', 'at 00:00 on day 1 of the month'],
      ['0 0 1,15 3 *', 'at 00:00 on day 1 and 15 of March'],
      ['0 12 * 6-8 *', 'at 12:00 in June to August'],
      ['0 0 1 * 1', undefined],
      ['0-10 6 * * *', undefined],
      ['30 6 * *', undefined],
      ['0 0 * 13 *', undefined],
    ]
    for (const [cron, expected] of words) assert.equal(cronWords(cron), expected, cron)
    assert.deepEqual([1, 90, 120, 1440, 20_160].map(minutesWords), [
      'every minute',
      'every 90 minutes',
      'every 2 hours',
      'every day',
      'every 2 weeks',
    ])
    const now = Date.parse('2026-01-01T00:00:00Z')
    const at = (seconds: number) => countdown(new Date(now + seconds * 1000).toISOString(), now)
    assert.deepEqual([-5, 45, 125, 5000, 200_000].map(at), [
      'now',
      'in 45 s',
      'in 2 min 5 s',
      'in 1 h 23 min',
      'in 2 days',
    ])
  })
})

describe('templates', () => {
  const schema = {
    type: 'object',
    properties: {
      last: { type: 'integer', title: 'Last number', minimum: 1, default: 3 },
      name: { type: 'string', title: 'Column', pattern: '^[a-z]+$' },
    },
    required: ['name'],
  }

  test('are made with a schema, run by its form, changed, duplicated and deleted', async () => {
    await open('/templates')
    await shows(page, 'No templates yet')
    await press(page, 'New template')
    const form = dialog()
    await form.getByLabel('Name').fill('Numbers')
    await form.getByLabel('Description').fill('Counts up.')
    await form.getByLabel('Query').fill('range 1 $template.last$ $template.name$')
    await shows(form, 'last')
    await press(form, 'Begin with the parameters')
    const schemaField = form.getByLabel('Schema of the values')
    assert.deepEqual(JSON.parse(await schemaField.inputValue()).required, ['last', 'name'])
    await schemaField.fill('{"type": ')
    await shows(form, /Not JSON yet/)
    await schemaField.fill('{"properties": {"last": {"type": "date"}}}')
    await press(form, 'Make the template')
    await shows(form, /properties\.last\.type must be one of/)
    await schemaField.fill(JSON.stringify(schema))
    await press(form, 'Make the template')
    await form.waitFor({ state: 'detached' })

    await press(page, 'Run Numbers')
    const preview = form.getByRole('region', { name: 'What will run' })
    await preview.getByText('range 1 3 $template.name$').waitFor()
    await form.getByLabel('Column').fill('N')
    await shows(form, 'must match ^[a-z]+$')
    await press(form, 'Run')
    await form.getByRole('alert').waitFor()
    await form.getByLabel('Column').fill('n')
    await form.getByLabel('Last number').fill('7')
    await preview.getByText('range 1 7 n').waitFor()
    await press(form, 'Run')
    await page.waitForURL(/\/queries\/[0-9a-f-]{36}$/)
    const record = await call('GET', `/v1/sirp/queries/${page.url().split('/').at(-1)}`)
    assert.equal(record.templateId, (await call('GET', '/v1/sirp/templates')).items[0].id)

    await open('/templates')
    await press(page, 'More actions for Numbers')
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    await form.getByLabel('Description').fill('Counts further up.')
    assert.equal(await schemaField.isEditable(), false)
    await press(form, 'Save')
    await shows(page, 'Counts further up.')
    await pick('More actions for Numbers', 'Duplicate')
    await form.getByLabel('Name').fill('Aardvarks')
    await press(form, 'Make the template')
    await row('Aardvarks').waitFor()
    const names = () => page.getByRole('row').getByRole('button', { name: /^Run / }).allInnerTexts()
    assert.equal((await names()).length, 2)
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option', { name: 'By name, Z to A' }).click()
    await page.getByRole('row').nth(1).getByText('Numbers').waitFor()
    await page.getByRole('searchbox').fill('aard')
    await shows(page, '1 to 1 of 1')
    await pick('More actions for Aardvarks', 'Delete')
    await press(dialog(), 'Delete')
    await shows(page, 'No template is named like that')
  })

  test('without a schema are asked for as texts', async () => {
    await open('/templates')
    await press(page, 'New template')
    await dialog().getByLabel('Name').fill('Greeting')
    await dialog().getByLabel('Description').fill('Greets.')
    await dialog().getByLabel('Query').fill('seed [{text: "hello $template.who$"}]')
    await press(dialog(), 'Make the template')
    await dialog().waitFor({ state: 'detached' })
    await press(page, 'Run Greeting')
    await dialog().getByLabel('who').fill('world')
    await shows(dialog(), /hello world/)
    await dialog().getByLabel('who').press('Enter')
    await page.waitForURL(/\/queries\//)
  })
})

describe('the cellar', () => {
  test('takes files in, shows their rows, exports and deletes them', async () => {
    await open('/cellar')
    await shows(page, 'The cellar is empty')
    const rows = Array.from({ length: 150 }, (_, index) => `${150 - index},name ${index}`).join('\n')
    await page.locator('input[type=file]').setInputFiles(csv('Prïces 2026.csv', `n,name\n${rows}\n`))
    const card = page.getByRole('form', { name: 'Upload Prïces 2026.csv' })
    const name = card.getByLabel('Name in the cellar')
    assert.equal(await name.inputValue(), 'Pr-ces 2026')
    await name.fill('prices/2026')
    await shows(card, /Letters from a to z/)
    await name.fill('prices 2026')
    await press(card, 'Upload')
    await shows(page, 'prices 2026 is in the cellar: 150 rows.')
    await page.getByRole('link', { name: 'prices 2026' }).click()
    await shows(page, '150 rows, 2 columns')
    await shows(page, '1 to 100 of 150')
    await press(page, 'Page 2')
    await shows(page, '101 to 150 of 150')
    await press(page, 'Sort by n')
    await shows(page, '1 to 100 of 150')
    await row('name 149').waitFor()
    await press(page, 'Show row 1')
    await shows(dialog(), /"name": "name 149"/)
    await page.keyboard.press('Escape')

    await press(page, 'Export')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as NDJSON' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'prices 2026.ndjson')
    assert.match(await readFile(await download.path(), 'utf8'), /^\{"n":150,"name":"name 0"\}\n/)
    await page.getByRole('link', { name: 'Use in a query' }).click()
    await page.waitForURL(url => url.searchParams.get('q') === 'thaw "prices 2026"')
    await open('/cellar/prices%202026')
    await press(page, 'Delete')
    await press(dialog(), 'Delete')
    await shows(page, 'The cellar is empty')
  })

  test('says why a file was refused, and what can be done', async () => {
    await call('POST', '/v1/sirp/cellar/files', { name: { value: 'taken' }, content: 'a\n1\n' })
    await open('/cellar')
    const refuse = async (file: { name: string; mimeType: string; buffer: Buffer }, reason: RegExp) => {
      await page.locator('input[type=file]').setInputFiles(file)
      const card = page.getByRole('form', { name: `Upload ${file.name}` })
      await press(card, 'Upload')
      await card.getByRole('alert').getByText(reason).waitFor()
      return card
    }
    const bad = await refuse(
      { name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from('a,b\n1,2\n') },
      /what is in it is text that is not JSON/,
    )
    await press(bad, 'Remove')
    await bad.waitFor({ state: 'detached' })
    await refuse(csv('large.csv', `a\n${'x'.repeat(UPLOAD_LIMIT)}\n`), /FORAGE_UPLOAD_LIMIT/)
    const taken = await refuse(csv('taken.csv', 'a\n2\n3\n'), /tick the box to replace/)
    await taken.getByRole('checkbox').check()
    await press(taken, 'Upload')
    await shows(page, 'taken is in the cellar: 2 rows.')
    assert.equal((await call('GET', '/v1/sirp/cellar/files/taken')).total, 2)
  })

  test('takes what is dropped, and an upload can be cancelled', async () => {
    await open('/cellar')
    const transfer = await page.evaluateHandle(`(() => {
      const made = new DataTransfer()
      made.items.add(new File(['a\\n1\\n'], 'dropped.csv', { type: 'text/csv' }))
      return made
    })()`)
    await page.getByText('Drop files here').dispatchEvent('drop', { dataTransfer: transfer })
    const card = page.getByRole('form', { name: 'Upload dropped.csv' })
    // The server never gets to answer: the upload stays under way until it is cancelled.
    await page.route('**/v1/sirp/cellar/files?*', () => {})
    await press(card, 'Upload')
    await card.getByRole('progressbar', { name: 'Sending dropped' }).waitFor({ state: 'attached' })
    await press(card, 'Cancel')
    await card.getByLabel('Name in the cellar').waitFor()
    assert.equal(await card.getByRole('alert').count(), 0)
    await page.unroute('**/v1/sirp/cellar/files?*')
    await press(card, 'Upload')
    await shows(page, 'dropped is in the cellar: 1 row.')
  })

  test('keeps manifests, with what was delivered and what went wrong', async () => {
    const { results } = await run(`screenshot ${demo}/login --device Desktop`)
    const { hash } = results[0].content
    await open('/cellar')
    await page.getByRole('tab', { name: 'Manifests' }).click()
    await shows(page, 'No manifests')
    await press(page, 'New manifest')
    const form = dialog()
    await form.getByLabel('Name').fill('daily prices')
    await form.getByLabel('Store').fill('warehouse')
    await form.getByRole('combobox', { name: 'Type' }).fill('awsS3')
    await page.getByRole('option', { name: 'awsS3' }).click()
    await form.getByLabel('Screenshots that it keeps').fill('not a hash')
    await press(form, 'Add the manifest')
    await shows(form, /must be the hash of a screenshot/)
    await form.getByLabel('Screenshots that it keeps').fill(`${hash} 0`)
    await form.getByLabel('Context of the attributes').fill('{"price": "EUR"}')
    await press(form, 'Add the manifest')
    await row('daily prices').getByText('None').waitFor()
    await pick('Actions for daily prices', 'Touch: a delivery happened now')
    await shows(page, 'A delivery is noted in daily prices.')
    await pick('Actions for daily prices', 'Note an error')
    await form.getByLabel('What went wrong').fill('The bucket is gone.')
    await press(form, 'Note the error')
    await row('daily prices').getByText('The bucket is gone.').waitFor()
    await page.getByRole('button', { name: 'daily prices', exact: true }).click()
    await shows(form, /"price": "EUR"/)
    assert.equal(
      await form.getByRole('link', { name: 'Screenshot of stage 0' }).getAttribute('href'),
      `/v1/screenshot/${hash}`,
    )
    assert.deepEqual(await accessibilityFaults(page), [])
    await press(form, 'Close')
    await pick('Actions for daily prices', 'Delete')
    await press(dialog(), 'Delete')
    await shows(page, 'No manifests')
  })

  test('shows the rows of a file as the manifest of its name says', async () => {
    const content = [
      { name: 'Fjell', cost: 5, page: 'https://example.com/fjell', photo: 'https://example.com/1' },
    ]
    await call('POST', '/v1/sirp/cellar/files', {
      name: { value: 'viewed' },
      content: JSON.stringify(content),
    })
    await call('POST', '/v1/sirp/cellar/manifests', {
      name: 'viewed',
      store: 'warehouse',
      type: 'file',
      attributesContext: {
        visibleAttributes: ['photo', 'page', 'name', 'no such column'],
        attributeRenderers: { photo: 'picture', page: 'text', name: 'link' },
      },
    })
    await open('/cellar/viewed')
    const table = page.getByRole('table')
    await table.getByRole('button', { name: 'Enlarge the picture in photo' }).waitFor()
    assert.deepEqual(
      (await table.getByRole('columnheader').allInnerTexts()).map(heading => heading.split(/\s/)[0]),
      ['#', 'photo', 'page', 'name'],
    )
    // As text an address is no link; and what is no address is none either, whatever the manifest says.
    assert.equal(await table.getByRole('link', { name: /fjell/i }).count(), 0)
    await page.getByRole('switch', { name: /All columns/ }).check()
    await table.getByRole('columnheader', { name: /cost/ }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await call('DELETE', '/v1/sirp/cellar/manifests/viewed')
  })
})

describe('screenshots', () => {
  test('are shown, the latest first, enlarged, with the way to their query', async () => {
    await run(`screenshot ${demo}/login --device Desktop`)
    const { id } = await run(`screenshot ${demo}/ --device Desktop --selector h1`)
    await open('/screenshots')
    const pictures = page.getByRole('button', { name: /^Enlarge the screenshot of/ })
    await pictures.first().click()
    await dialog()
      .getByRole('img', { name: /^Screenshot of/ })
      .waitFor()
    await page.waitForFunction("document.querySelector('[role=dialog] img').naturalWidth > 0")
    await press(dialog(), 'Next')
    await shows(dialog(), /\/login/)
    await press(dialog(), 'Previous')
    await dialog()
      .getByRole('link', { name: /The query that took it/ })
      .click()
    await page.waitForURL(`**/queries/${id}`)
  })
})

describe('each of these pages', () => {
  const pages = [
    ['/queries?text=range', /1 to \d+ of/],
    ['/schedules', 'Every day at 06:30 (UTC)'],
    ['/templates', 'Products below a price'],
    ['/cellar', 'taken'],
    ['/cellar/taken', '2 rows, 1 column'],
    ['/cellar?tab=manifests', 'monthly'],
    ['/screenshots', /1 to \d+ of/],
  ] as const

  test('can be used by everybody, light and dark, wide and narrow', async () => {
    const { id } = await call('POST', '/v1/sirp/scheduled', { query: 'range 1 3 n', cron: '30 6 * * *' })
    await call('POST', `/v1/sirp/scheduled/${id}/run`)
    await call('POST', '/v1/sirp/templates', {
      name: 'Products below a price',
      description: 'A long description that goes on for a while, to see where it breaks.',
      query: 'range 1 $template.last$ n',
    })
    await call('POST', '/v1/sirp/cellar/manifests', { name: 'monthly', store: 'warehouse', type: 'file' })
    const dark = await application.signedIn('/queries', {
      viewport: { width: 400, height: 800 },
      colorScheme: 'dark',
    })
    for (const [path, text] of pages)
      for (const each of [page, dark]) {
        await each.goto(`${address}${path}`)
        await shows(each, text)
        assert.deepEqual(await accessibilityFaults(each), [], path)
        const aside = Number(await each.evaluate('document.documentElement.scrollWidth - innerWidth'))
        assert.ok(aside <= 0, `${path} is ${aside} px too wide`)
      }
    for (const [path, button] of [
      ['/schedules', 'New schedule'],
      ['/templates', 'New template'],
      ['/templates', 'Run Products below a price'],
      ['/cellar?tab=manifests', 'New manifest'],
    ] as const)
      for (const each of [page, dark]) {
        await each.goto(`${address}${path}`)
        await press(each, button)
        await dialog(each).waitFor()
        assert.deepEqual(await accessibilityFaults(each), [], button)
        await each.keyboard.press('Escape')
        await dialog(each).waitFor({ state: 'detached' })
      }
    await dark.context().close()
  })
})
