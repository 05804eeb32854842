import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/forage.ts'
import { accessibilityFaults, signInLink, startApplication, USER } from './support.ts'

const application = await startApplication()
const link = signInLink(application.served)

test('the one-time link makes the first user, who then signs out and in again', async () => {
  const page = await application.open(`/sign-in#${link.split('#')[1]}`)
  await page.getByRole('heading', { name: 'Welcome to Forage' }).waitFor()
  assert.equal(new URL(page.url()).hash, '', 'the token stays neither in the address nor in the history')
  assert.deepEqual(await accessibilityFaults(page), [])

  await page.getByLabel('User name').fill(USER.username)
  await page.getByLabel(/^Password \*/).fill(USER.password)
  await page.getByLabel('Password again').fill('something else')
  await page.getByRole('button', { name: 'Create the user' }).click()
  await page.getByRole('alert').getByText('The two passwords differ.').waitFor()
  await page.getByLabel('Password again').fill(USER.password)
  await page.getByRole('button', { name: 'Create the user' }).click()

  const editor = page.getByRole('textbox', { name: 'Query' })
  await editor.fill('seed [{not: "for others"}]')
  await page.getByRole('button', { name: USER.username }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in to Forage' }).waitFor()
  assert.deepEqual(await accessibilityFaults(page), [])

  await page.getByLabel('User name').fill(USER.username)
  await page.getByRole('textbox', { name: 'Password' }).fill('a wrong password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('The user name or the password is not right.').waitFor()
  await page.getByRole('textbox', { name: 'Password' }).fill(USER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await editor.waitFor()
  assert.doesNotMatch(await editor.innerText(), /for others/)
})

test('a link does not work twice, and says so', async () => {
  const page = await application.open(`/sign-in#${link.split('#')[1]}`)
  await page.getByRole('alert').getByText('The link was used already').waitFor()
})

test('whoever is signed out meanwhile is asked to sign in, and comes back to the same page', async () => {
  const page = await application.signedIn('/keys')
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('heading', { name: 'Sign in to Forage' }).waitFor()
  await page.getByLabel('User name').fill(USER.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(USER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Users' }).waitFor()
})

test('whoever signs out when the session is over already leaves no draft behind either', async () => {
  const page = await application.signedIn('/')
  const editor = page.getByRole('textbox', { name: 'Query' })
  await editor.fill('seed [{not: "for others"}]')
  await page.context().clearCookies()
  await page.getByRole('button', { name: USER.username }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('User name').fill(USER.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(USER.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await editor.waitFor()
  assert.doesNotMatch(await editor.innerText(), /for others/)
})

test('on a narrow screen the navigation opens and closes', async () => {
  const page = await application.signedIn('/keys', { viewport: { width: 400, height: 800 } })
  const link = page.getByRole('link', { name: 'Services' })
  await link.waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'Open the navigation' }).click()
  await link.click()
  await page.getByRole('heading', { name: 'Services' }).waitFor()
  await link.waitFor({ state: 'hidden' })
})

test('the page says that the server is away, and goes on when it is back', async () => {
  const page = await application.signedIn('/keys')
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  const { address } = application.served
  await application.served.end()
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('status').getByText('Forage does not answer').waitFor()
  application.served = await serve(application.data, { FORAGE_PORT: new URL(address).port })
  await page.getByRole('status').getByText('Forage does not answer').waitFor({ state: 'hidden' })
  await page.getByRole('cell', { name: `${USER.username} you` }).waitFor()
})

test('an address that leads nowhere says so', async () => {
  const page = await application.signedIn('/no-such-page')
  await page.getByText('There is no such page').waitFor()
})
