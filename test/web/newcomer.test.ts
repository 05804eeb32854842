import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { signInLink, startApplication, USER } from './support.ts'

const application = await startApplication()

test('a newcomer: from the link to a chart, a file, a template, a schedule and a key that works', async () => {
  const page = await application.open(`/sign-in${new URL(signInLink(application.served)).hash}`)
  await page.getByLabel('User name').fill(USER.username)
  await page.getByLabel(/^Password \*/).fill(USER.password)
  await page.getByLabel('Password again').fill(USER.password)
  await page.getByRole('button', { name: 'Create the user' }).click()

  await page.getByRole('button', { name: /^Prices of the shop/ }).click()
  await page.getByRole('status').getByText('Completed', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Chart' }).click()
  await page.getByRole('img', { name: /price/i }).waitFor()

  await page.getByRole('tab', { name: 'Table' }).click()
  await page.getByRole('button', { name: 'Export' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV', exact: true }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
  assert.equal(lines[0]?.trim(), 'name,category,price')
  assert.equal(lines.length, 25)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('shop prices')
  await page.getByRole('dialog').getByLabel('Description').fill('what the shop asks today')
  await page.getByRole('button', { name: 'Make the template' }).click()
  await page.getByText('The template is made.').waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Schedule' }).click()
  await page.getByRole('button', { name: 'Make the schedule' }).click()
  await page.getByText('The schedule is made and enabled.').waitFor()

  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByText('shop prices', { exact: true }).first().waitFor()
  await page.getByRole('link', { name: 'Schedules' }).click()
  await page
    .getByText(/every hour|every 60 minutes/i)
    .first()
    .waitFor()

  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('my script')
  await page.getByRole('button', { name: 'Make the key' }).click()
  const key = await page.getByText(/^forage_[\w-]{43}$/).innerText()
  const { stdout } = await promisify(execFile)('curl', [
    '--silent',
    '--header',
    `Authorization: svc ${key}`,
    `${application.served.address}/v1/sirp/templates`,
  ])
  assert.deepEqual(
    JSON.parse(stdout).items.map(({ name }: { name: string }) => name),
    ['shop prices'],
  )
})
