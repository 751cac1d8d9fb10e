import { expect, type BrowserContext, type Page } from '@playwright/test'
import { owner, type Ready } from './client'
import { follow, isSettled } from './inPage'
import type { Server } from './server'
import { withServers } from './withServers'

export { expect }
export * from './client'
export * from './picture'

type Fixtures = {
  /** Errors in pages; must be empty at the end of each test. */
  problems: string[]
}

/**
 * Requests to other origins, violations of the content security policy and uncaught errors fail every test. All files
 * use this fixture: a test with other worker fixtures would get its own worker, browser and server.
 */
export const test = withServers.extend<Fixtures>({
  problems: [
    async ({ context }, use) => {
      const problems: string[] = []
      watch(context, problems)
      await use(problems)
      expect(problems).toEqual([])
    },
    { auto: true },
  ],
})

function watch(context: BrowserContext, problems: string[]) {
  context.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol.startsWith('http') && hostname !== '127.0.0.1')
      problems.push(`a request to ${request.url()}`)
  })
  context.on('console', (message) => {
    if (/Content.Security.Policy|TrustedHTML|TrustedScript/i.test(message.text()))
      problems.push(message.text())
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
}

/** Creates the first owner on the setup page. */
export async function setUp(page: Page, server: Server) {
  await page.goto(server.setUpAddress)
  await page.getByLabel('Your name').fill(owner.name)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Create the owner' }).click()
  await page.waitForURL(/\/project\//)
}

/** Signs in on the open page. */
export async function signIn(page: Page, who: { email: string; password: string } = owner) {
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens an address as the owner, who is signed in. */
export async function open(page: Page, server: Ready, path: string) {
  await page.context().addCookies(server.cookies)
  await page.goto(server.url + path)
}

/**
 * Navigates within the open application, as a link does: without reloading it, which takes longer than most pages.
 * Returns when the page has loaded all its data.
 */
export async function go(page: Page, path: string) {
  await page.evaluate(follow, path)
  await settled(page)
}

/** Waits until the open page has loaded all its data and rendered it. */
export async function settled(page: Page) {
  await page.waitForFunction(isSettled, undefined, { polling: 50 })
}
