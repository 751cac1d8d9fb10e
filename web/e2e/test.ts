import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import { newProject, owner, type Ready, sendDemo, sendTrace, setUpServer } from './client'
import { type Examples, fill } from './examples'
import { type Server, startServer } from './server'

export { expect }
export * from './client'
export * from './picture'

type Fixtures = {
  /** Errors in pages; must be empty at the end of each test. */
  problems: string[]
}

type WorkerFixtures = {
  /** A server with an owner, a project and a trace. */
  server: Ready
  /** An organization on it that contains something of every kind. */
  examples: Examples
  /** A project on it with the demo traces. */
  demo: Ready
}

/**
 * Requests to other origins, violations of the content security policy and uncaught errors fail every test. All files
 * use this fixture: a test with other worker fixtures would get its own worker, browser and server.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  server: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const started = await startServer()
      const server = await setUpServer(started)
      await sendTrace(server, { traceId: 'a1'.repeat(16), name: 'answer a question' })
      await use(server)
      await started.stop()
    },
    { scope: 'worker' },
  ],
  examples: [
    async ({ server }, use) => use(await fill(server, (words) => words)),
    { scope: 'worker' },
  ],
  demo: [
    async ({ server }, use) => {
      const demo = await newProject(server, 'Demonstration')
      sendDemo(demo)
      await use(demo)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
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
  await page.evaluate((href) => {
    const { __TSR_index: index = 0 } = history.state as { __TSR_index?: number }
    const key = crypto.randomUUID()
    history.pushState({ key, __TSR_key: key, __TSR_index: index + 1 }, '', href)
  }, path)
  await settled(page)
}

/** Waits until the open page has loaded all its data and rendered it. */
export async function settled(page: Page) {
  await page.waitForFunction(
    () => {
      const { __TSR_ROUTER__: router } = window as { __TSR_ROUTER__?: Router }
      if (!router) return false
      const { status, location, resolvedLocation } = router.state
      return (
        status === 'idle' &&
        location.state.key === (history.state as { key?: string }).key &&
        resolvedLocation?.href === location.href &&
        router.options.context.queryClient.isFetching() === 0 &&
        document.querySelector('[aria-busy=true], .animate-pulse') === null
      )
    },
    undefined,
    { polling: 50 },
  )
}

/** The state of the application's router. */
type Router = {
  state: {
    status: 'pending' | 'idle'
    location: { href: string; state: { key?: string } }
    resolvedLocation?: { href: string }
  }
  options: { context: { queryClient: { isFetching: () => number } } }
}
