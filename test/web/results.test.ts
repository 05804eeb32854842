import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Row } from '../../src/language/json.ts'
import { chooseChart } from '../../web/results/chart/choice.ts'
import { numberIn, profileOf } from '../../web/results/chart/profile.ts'
import { chartData } from '../../web/results/chart/series.ts'
import { accessibilityFaults, startApplication } from './support.ts'

const application = await startApplication()
const { demo } = application

/** Runs a query by the interface and gives its id. */
async function run(query: string): Promise<string> {
  const { address, key } = application.served
  const response = await fetch(`${address}/v1/sirp/query/runner/dispatch/wait?limit=0`, {
    method: 'POST',
    headers: { authorization: `svc ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const record = (await response.json()) as { id: string; status: string }
  assert.equal(record.status, 'completed', JSON.stringify(record))
  return record.id
}

interface Canvas {
  readonly width: number
  readonly height: number
  getContext(kind: '2d'): {
    getImageData(x: number, y: number, width: number, height: number): { data: Uint8ClampedArray }
  }
}
interface Image {
  readonly naturalWidth: number
  decode(): Promise<void>
}

/** Whether the picture is there, and is one. */
const isDecoded = (picture: Locator): Promise<boolean> =>
  picture.evaluate(async element => {
    const image = element as unknown as Image
    await image.decode()
    return image.naturalWidth > 0
  })

const seed = (rows: readonly object[]): string => `seed ${JSON.stringify(rows)}`

const shared = await application.signedIn('/queries')

/** The page of a query that was run, once its rows are there; with options in a context of its own. */
async function resultsOf(query: string, options?: BrowserContextOptions): Promise<Page> {
  const path = `/queries/${await run(query)}`
  const page = options ? await application.signedIn(path, options) : shared
  if (!options) await page.goto(`${application.served.address}${path}`)
  await page.getByRole('grid').waitFor()
  return page
}

const grid = (page: Page): Locator => page.getByRole('grid')
const rowOf = (page: Page, number: number): Locator =>
  grid(page).locator(`[role=row][aria-rowindex="${number + 1}"]`)
const cell = (page: Page, row: number, column: number): Locator =>
  rowOf(page, row).locator(`[aria-colindex="${column + 1}"]`)
const cells = (page: Page, row: number): Promise<string[]> =>
  rowOf(page, row).getByRole('gridcell').allInnerTexts()
const menu = async (page: Page, column: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: `Menu of ${column}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
const headings = async (page: Page): Promise<string[]> =>
  Promise.all(
    (await grid(page).getByRole('columnheader').all()).map(
      async heading => (await heading.getAttribute('aria-label')) ?? '',
    ),
  )
/** Waits until a column stands at a place, counted from 1. */
const heading = (page: Page, place: number, name: string): Promise<void> =>
  grid(page)
    .locator(`[role=columnheader][aria-colindex="${place + 1}"][aria-label="${name}"]`)
    .waitFor()
/** Presses, and waits until the cursor is in that row. */
async function go(page: Page, key: string, row: number): Promise<void> {
  await grid(page).press(key)
  await rowOf(page, row).locator('[aria-selected=true]').waitFor()
}
const text = (page: Page, row: number, column: number, value: string): Promise<void> =>
  cell(page, row, column).getByText(value, { exact: true }).waitFor()

/** In light colours and in dark ones, not in those that fade from one to the other. */
async function checkLooks(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))')
    assert.deepEqual(await accessibilityFaults(page), [], colorScheme)
  }
  await page.emulateMedia({ colorScheme: 'light' })
}

const MILLION = `range 1 1000000 n || eval big "9007199254740993 + n" || eval name "concat('row ', n)"`

describe('a million rows', async () => {
  const page = await resultsOf(MILLION)

  test('are all there by the keyboard', async () => {
    assert.equal(await grid(page).getAttribute('aria-rowcount'), '1000001')
    await text(page, 1, 3, 'row 1')
    await grid(page).focus()
    await go(page, 'Control+End', 1_000_000)
    await text(page, 1_000_000, 3, 'row 1000000')
    assert.deepEqual(await cells(page, 999_999), ['999999', '9007199255740992', 'row 999999'])
    await go(page, 'ArrowUp', 999_999)
    await grid(page).press('PageUp')
    await grid(page).press('Home')
    const drawn = await grid(page).locator('[role=row]').count()
    assert.ok(drawn < 80, `${drawn} rows are in the page`)
    await go(page, 'Control+Home', 1)
    await text(page, 1, 3, 'row 1')
    await go(page, 'ArrowDown', 2)
    await cell(page, 3, 1).click()
    await go(page, 'ArrowUp', 2)
    await go(page, 'ArrowRight', 2)
    assert.equal(await cell(page, 2, 2).getAttribute('aria-selected'), 'true')
  })

  test('are all there by the scrollbar and the wheel, and integers keep every digit', async () => {
    await grid(page).evaluate(element => {
      element.scrollTop = (element.scrollHeight - element.clientHeight) / 2
    })
    await text(page, 500_000, 3, 'row 500000')
    assert.deepEqual(await cells(page, 500_000), ['500000', '9007199255240993', 'row 500000'])
    await grid(page).hover()
    await page.mouse.wheel(0, 320)
    await text(page, 500_010, 1, '500010')
    await grid(page).evaluate(element => {
      element.scrollTop = element.scrollHeight
    })
    await text(page, 1_000_000, 1, '1000000')
    await grid(page).evaluate(element => {
      element.scrollTop = 0
    })
    await text(page, 1, 1, '1')
  })

  test('are sorted by the server, up, down and as they came', async () => {
    const name = page.getByRole('button', { name: 'Sort by name' })
    await name.click()
    await text(page, 3, 3, 'row 100')
    await name.click()
    await text(page, 1, 3, 'row 999999')
    assert.equal(
      await grid(page).getByRole('columnheader', { name: 'name' }).getAttribute('aria-sort'),
      'descending',
    )
    await go(page, 'Control+End', 1_000_000)
    await text(page, 1_000_000, 3, 'row 1')
    await name.click()
    await text(page, 999_999, 3, 'row 999999')
  })

  test('can be taken home as a file, sorted as shown', async () => {
    await menu(page, 'n', 'Sort descending')
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
    ])
    assert.match(download.suggestedFilename(), /\.csv$/)
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split(/\r?\n/)
    assert.equal(lines.length, 1_000_001)
    assert.equal(lines[1], '1000000,9007199255740993,row 1000000')
    assert.equal(lines.at(-1), '1,9007199254740994,row 1')
  })

  test('are charted in part, and the chart says so', async () => {
    await page.getByRole('tab', { name: 'Chart' }).click()
    await page.getByText('the first 10,000 of 1,000,000 rows').waitFor()
  })
})

test('every format of export is a link to all rows', async () => {
  const page = await resultsOf(seed([{ a: '=1+1', b: { c: 2 } }]))
  await page.getByRole('button', { name: 'Export' }).click()
  const download = async (name: string) => {
    const href = await page.getByRole('menuitem', { name, exact: true }).getAttribute('href')
    const response = await page.request.get(`${application.served.address}${href}`)
    assert.match(response.headers()['content-disposition']!, /^attachment/)
    return (await response.body()).toString('latin1')
  }
  assert.equal((await download('CSV')).trim().replaceAll('\r', ''), 'a,b.c\n=1+1,2')
  assert.match(await download('CSV, safe for spreadsheets'), /'=1\+1/)
  assert.equal(await download('NDJSON, a row on each line'), '{"a":"=1+1","b":{"c":2}}\n')
  assert.deepEqual(JSON.parse(await download('JSON, one array')), [{ a: '=1+1', b: { c: 2 } }])
  assert.match(await download('Parquet'), /^PAR1/)
})

test('columns are hidden, pinned, moved and resized; a thousand of them do no harm', async () => {
  const wide = Array.from({ length: 3 }, (_, row) =>
    Object.fromEntries(Array.from({ length: 1000 }, (_, column) => [`c${column}`, row * 1000 + column])),
  )
  // From the cellar: the text of such a query would be no easy read for the editor.
  await run(`${seed(wide)} || freeze wide`)
  const page = await resultsOf('thaw wide')
  assert.equal(await grid(page).getAttribute('aria-colcount'), '1001')
  assert.ok((await headings(page)).length < 40)
  await menu(page, 'c0', 'Hide')
  await page.getByRole('button', { name: 'Columns (1 hidden)' }).waitFor()
  await heading(page, 1, 'c1')
  await menu(page, 'c1', 'Move right')
  await heading(page, 1, 'c2')
  await heading(page, 2, 'c1')
  await menu(page, 'c1', 'Pin to the left')
  await heading(page, 1, 'c1')
  await heading(page, 2, 'c2')
  await grid(page).focus()
  await grid(page).press('End')
  await text(page, 1, 999, '999')
  assert.equal((await headings(page))[1], 'c1', 'pinned columns stay in view')
  await grid(page).press('Home')
  const handle = page.getByRole('separator', { name: 'Width of c2', exact: true })
  const before = Number(await handle.getAttribute('aria-valuenow'))
  await handle.press('ArrowRight')
  const isWide = (width: number) =>
    page.locator(`[role=separator][aria-label="Width of c2"][aria-valuenow="${width}"]`).waitFor()
  await isWide(before + 16)
  const box = (await handle.boundingBox())!
  await page.mouse.move(box.x + 4, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 104, box.y + 10, { steps: 4 })
  await page.mouse.up()
  await isWide(before + 116)
  await page.getByRole('button', { name: 'Columns (1 hidden)' }).click()
  await page.getByLabel('Search columns').fill('c0')
  await page.getByRole('checkbox', { name: 'c0', exact: true }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Sort by c0', exact: true }).waitFor()
})

test('values are shown by what they are, flat or nested, and whole in the cell view', async () => {
  const page = await resultsOf(
    seed([
      {
        tree: { deep: { leaf: 'found' }, list: [1, 2] },
        link: `${demo}/shop`,
        picture: `${demo}/pictures/1.svg`,
        none: null,
        yes: true,
      },
    ]).concat(" || eval long \"lpad('end', 1500, 'x')\""),
    { permissions: ['clipboard-read', 'clipboard-write'] },
  )
  assert.deepEqual((await headings(page)).slice(1, 4), ['tree.deep.leaf', 'tree.list.0', 'tree.list.1'])
  await page.getByText('Nested', { exact: true }).click()
  await text(page, 1, 1, '{"deep":{"leaf":"found"},"list":[1,2]}')
  const link = rowOf(page, 1).getByRole('link', { name: `${demo}/shop` })
  assert.equal(await link.getAttribute('rel'), 'noreferrer noopener')
  const picture = cell(page, 1, 3).locator('img')
  assert.ok(await isDecoded(picture))
  await text(page, 1, 4, 'null')

  await grid(page).focus()
  await grid(page).press('Control+c')
  assert.equal(
    await page.evaluate('navigator.clipboard.readText()'),
    '{"deep":{"leaf":"found"},"list":[1,2]}',
  )
  await grid(page).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('"found"').waitFor()
  await dialog.locator('summary', { hasText: 'deep' }).click()
  await dialog.getByText('"found"').waitFor({ state: 'detached' })
  assert.deepEqual(await accessibilityFaults(page), [])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await grid(page).press('End')
  await grid(page).press('Enter')
  await dialog.getByText('1,500 characters').waitFor()
})

test('columns may be named as nobody would name them', async () => {
  const names = ['', 'constructor', '__proto__', 'toString', 'two words', '<b>x</b>', 'שם', '🎌']
  const row = Object.fromEntries(names.map((name, index) => [name, index]))
  const page = await resultsOf(seed([row, { n: 1 }]))
  assert.deepEqual((await headings(page)).slice(1), [...names, 'n'])
  assert.deepEqual(await cells(page, 1), [...names.map((_, index) => String(index)), 'null'])
  assert.deepEqual(await cells(page, 2), [...names.map(() => 'null'), '1'])
  await menu(page, 'constructor', 'Hide')
  await page.getByRole('button', { name: 'Columns (1 hidden)' }).waitFor()
})

test('nothing that a hostile page wrote runs', async () => {
  const attack = 'globalThis.top.attacked = true; alert(1)'
  const html = `<script>${attack}</script><img src="x" onerror="${attack}"><a href="javascript:${attack}" id="a">click</a><form action="javascript:${attack}"><button>send</button></form><h1>Bait</h1>`
  const id = await run(
    seed([
      {
        html,
        script: `<script>${attack}</script>`,
        link: `javascript:${attack}`,
        data: `data:text/html,${html}`,
        tree: { html },
        'a<img src=x onerror=alert(1)>': 1,
      },
    ]),
  )
  // The policy has much to say of this page, and has to: what it says is not counted as a fault here.
  const context = await application.browser.newContext({
    storageState: await shared.context().storageState(),
  })
  const page = await context.newPage()
  const dialogs: string[] = []
  page.on('dialog', async dialog => {
    dialogs.push(dialog.message())
    await dialog.dismiss()
  })
  await page.goto(`${application.served.address}/queries/${id}`)
  await grid(page).waitFor()
  assert.equal(await rowOf(page, 1).getByRole('link').count(), 0, 'neither javascript: nor data: is a link')
  assert.equal(await rowOf(page, 1).locator('script, img').count(), 0)
  assert.ok((await cells(page, 1))[0]?.startsWith('<script>'))
  await grid(page).focus()
  await grid(page).press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(html).waitFor()
  await dialog.getByText('Rendered').click()
  const frame = dialog.frameLocator('iframe')
  await frame.getByRole('heading', { name: 'Bait' }).waitFor()
  assert.equal(await dialog.locator('iframe').getAttribute('sandbox'), '')
  await frame.getByText('click').click()
  await frame.getByText('send').click()
  await frame.getByRole('heading', { name: 'Bait' }).waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  for (const tab of ['Chart', 'Summary', 'Table']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel').getByText(/./).first().waitFor()
  }
  assert.equal(await page.evaluate(() => (globalThis as { attacked?: boolean }).attacked), undefined)
  assert.deepEqual(dialogs, [])
  await context.close()
})

test('the column menu offers the commands that fit, and adds the stage', async () => {
  const page = await resultsOf(`api get ${demo}/api/products?size=24 || normalize items`)
  const editor = page.locator('.cm-content')
  await menu(page, 'name', 'Add a command')
  const dialog = page.getByRole('dialog', { name: 'Add a command' })
  await dialog.getByLabel('Search commands').fill('capital')
  await dialog
    .getByRole('button', { name: /^lower/ })
    .or(dialog.getByRole('button', { name: /^upper/ }))
    .first()
    .waitFor()
  await dialog.getByLabel('Search commands').fill('upper')
  await dialog.getByRole('button', { name: /^upper/ }).click()
  await page.getByText('KESTREL MINI').waitFor()
  assert.match(await editor.innerText(), /normalize items \|\| upper name/)

  await menu(page, 'price', 'Add a command')
  await dialog.getByLabel('Search commands').fill('filter')
  await dialog.getByRole('button', { name: /^filter/ }).click()
  await editor.getByText('price != null').waitFor()
  await page.getByText('KESTREL MINI').waitFor()

  await menu(page, 'price', 'Add a command')
  await dialog.getByRole('combobox', { name: 'Columns' }).fill('rating')
  await page.getByRole('option', { name: 'rating', exact: true }).click()
  await dialog.getByLabel('Search commands').fill('drop')
  await dialog.getByText('|| drop price rating').waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])
})

test('a chart is chosen by what the columns hold', () => {
  assert.deepEqual(['19.99', '19.99 €', '-1e3', '', 'NaN', null, true, 7n].map(numberIn), [
    19.99,
    null,
    -1000,
    null,
    null,
    null,
    null,
    7,
  ])
  const chosen = (rows: readonly Row[]) => {
    const profiles = Object.keys(rows[0]!).map(name => profileOf(name, rows))
    const choice = chooseChart(profiles, rows.length)
    return { choice, ...chartData(rows, choice, profiles) }
  }
  const things = ['a', 'b', 'c'].map((name, id) => ({ id, name, price: String(id + 1) }))
  assert.deepEqual(chosen(things).series, [{ name: 'price', data: [1, 2, 3] }])
  const kinds = Array.from({ length: 90 }, (_, n) => ({ kind: n % 2 ? 'odd' : 'even', price: n }))
  const byKind = chosen(kinds)
  assert.deepEqual([byKind.choice.type, byKind.choice.aggregate], ['bar', 'avg'])
  assert.deepEqual(
    [byKind.categories, byKind.series[0]?.data],
    [
      ['even', 'odd'],
      [44, 45],
    ],
  )
  const days = ['2026-01-02', '2026-01-01', '2026-01-02'].map(day => ({ day, total: 5 }))
  const byDay = chosen(days)
  assert.deepEqual([byDay.choice.type, byDay.axis], ['line', 'time'])
  assert.deepEqual(
    byDay.series[0]?.data.map(point => (point as [number, number])[1]),
    [5, 10],
    'in the order of time, and summed up',
  )
  const many = Array.from({ length: 1000 }, (_, n) => ({ price: (n * 37) % 100 }))
  const histogram = chosen(many)
  assert.equal(histogram.choice.type, 'histogram')
  assert.equal(
    histogram.series[0]?.data.reduce<number>((sum, value) => sum + Number(value), 0),
    1000,
  )
  const words = [{ word: 'a' }, { word: 'b' }, { word: 'a' }]
  assert.deepEqual(chosen(words).series, [{ name: 'count', data: [2, 1] }])
})

test("the shop's prices are a chart in one click", async () => {
  const page = await resultsOf(`api get ${demo}/api/products?size=24 || normalize items`)
  await page.getByRole('tab', { name: 'Chart' }).click()
  await page
    .getByRole('img', { name: /^Bar chart of price by name: 24 values from 145 to 2440\.5/ })
    .waitFor()
  const canvas = page.locator('canvas')
  const colours = await canvas.evaluate(element => {
    const { width, height, getContext } = element as unknown as Canvas
    const { data } = getContext.call(element, '2d').getImageData(0, 0, width, height)
    return new Set(new Uint32Array(data.buffer)).size
  })
  assert.ok(colours > 10, 'something is drawn')
  await page.getByText('Histogram', { exact: true }).click()
  await page.getByRole('img', { name: /^Histogram of price/ }).waitFor()
  await page.getByText('Line', { exact: true }).click()
  await page.getByText('Scatter', { exact: true }).click()
  await page.getByRole('img', { name: /^Scatter chart of price/ }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as PNG' }).click(),
  ])
  assert.equal(download.suggestedFilename(), 'chart.png')
  assert.equal((await readFile(await download.path())).subarray(1, 4).toString(), 'PNG')
  await checkLooks(page)
})

test('prices as a page shows them become numbers in one click more', async () => {
  const page = await resultsOf(`open ${demo}/shop --selector .price || table innerText`)
  await page.getByRole('tab', { name: 'Chart' }).click()
  await page.getByRole('button', { name: 'Add convert innerText number' }).click()
  await page.getByRole('tab', { name: 'Chart' }).click()
  await page.getByRole('img', { name: /^Histogram of innerText/ }).waitFor()
})

test('the summary tells what is in each column, in the dark too', async () => {
  const page = await resultsOf(
    seed([
      { kind: 'tea', price: 2, id: 'ID' },
      { kind: 'tea', price: 4 },
      { kind: 'milk', price: 9 },
    ]).replace('"ID"', '9007199254740993'),
    { colorScheme: 'dark' },
  )
  assert.deepEqual(await accessibilityFaults(page), [])
  await menu(page, 'price', 'Summary of the column')
  const price = page.getByRole('region', { name: 'Summary of price' })
  await price.getByText('3 values, 3 distinct').waitFor()
  assert.match(await price.innerText(), /mean\s+5/)
  await price.getByRole('img', { name: /From 2 to 9; .* the median is 4/ }).waitFor()
  await page.getByRole('region', { name: 'Summary of id' }).getByText('9007199254740993').first().waitFor()
  const kind = page.getByRole('region', { name: 'Summary of kind' })
  assert.deepEqual(await kind.getByRole('listitem').allInnerTexts(), ['tea\n2 (67 %)', 'milk\n1 (33 %)'])
  assert.deepEqual(await accessibilityFaults(page), [])
})

test('requests are a waterfall', async () => {
  const page = await resultsOf(`requests ${demo}/thirdparty --ready idle`)
  await page.getByRole('tab', { name: 'Waterfall' }).click()
  const table = page.getByRole('table', { name: 'Requests' })
  const missing = table.getByRole('row').filter({ hasText: 'missing.js' })
  await missing.getByText('failed').waitFor()
  await missing.getByText('external').waitFor()
  await table
    .getByRole('img', { name: /^from 0 ms to/ })
    .first()
    .waitFor()
  await checkLooks(page)
})

test('errors come with the reason and the input', async () => {
  const page = await resultsOf(`${seed([{ id: 1 }, { id: 999 }])} || api get ${demo}/api/products/$id$`)
  await rowOf(page, 2).getByLabel('failed').waitFor()
  await page.getByRole('tab', { name: 'Errors 1' }).click()
  await page.getByText('http_status: 1').waitFor()
  await page.getByRole('button', { name: /api get .*\/api\/products\/999/ }).click()
  await page.getByText('The row that it was given').waitFor()
  await page.getByText(/"id": 999/).waitFor()
  await checkLooks(page)
})

test('screenshots are seen in the row, in the gallery and enlarged', async () => {
  const page = await resultsOf(`screenshot ${demo}/shop/product/7 --selector ".picture img" --type png`)
  await rowOf(page, 1).getByRole('button', { name: 'Enlarge the picture in hash' }).click()
  const enlarged = page.getByRole('dialog').getByRole('img', { name: 'In hash' })
  assert.ok(await isDecoded(enlarged))
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Screenshots 1' }).click()
  const small = page.getByRole('button', { name: /^Enlarge .*\/shop\/product\/7/ })
  await small.waitFor()
  await checkLooks(page)
  await small.click()
  await page
    .getByRole('dialog')
    .getByRole('img', { name: /^Screenshot of/ })
    .waitFor()
  await checkLooks(page)
})

test('a telephone shows it all, and the page itself does not scroll sideways', async () => {
  const page = await resultsOf(`api get ${demo}/api/products?size=24 || normalize items`, {
    viewport: { width: 400, height: 800 },
    colorScheme: 'dark',
  })
  const isNarrow = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth')
  for (const tab of ['Table', 'Chart', 'Summary']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel').getByText(/./).first().waitFor()
    assert.ok(await isNarrow(), tab)
  }
  assert.deepEqual(await accessibilityFaults(page), [])
})
