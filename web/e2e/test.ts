import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import { newProject, owner, type Ready, sendDemo, sendTrace, setUpServer } from './client'
import { type Examples, fill } from './examples'
import { type Server, startServer } from './server'

export { expect }
export * from './client'
export * from './picture'

type Fixtures = {
  /** What went wrong in pages; must be empty at the end of each test. */
  problems: string[]
}

type WorkerFixtures = {
  /** A program with an owner, a project and a trace. */
  server: Ready
  /** An organization of it in which there is something of everything. */
  examples: Examples
  /** A project of it with the traces of the demonstration. */
  demo: Ready
}

/**
 * Requests to other origins, violations of the content security policy and uncaught errors fail every test. All files use this
 * one: a test with other fixtures of workers gets a worker, a browser and a program of its own.
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

/** Creates the first owner on the page that the server's address opens. */
export async function setUp(page: Page, server: Server) {
  await page.goto(server.setUpAddress)
  await page.getByLabel('Your name').fill(owner.name)
  await page.getByLabel('E-mail').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Create the owner' }).click()
  await page.waitForURL(/\/project\//)
}

/** Signs in on the page that is open. */
export async function signIn(page: Page, who: { email: string; password: string } = owner) {
  await page.getByLabel('E-mail').fill(who.email)
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Opens an address as the owner, who is signed in. */
export async function open(page: Page, server: Ready, path: string) {
  await page.context().addCookies(server.cookies)
  await page.goto(server.url + path)
}

/**
 * Goes to an address within the application that is open, as a link in it does: without loading the application again, which
 * takes longer than most pages. Returns when the page is there with all its data.
 */
export async function go(page: Page, path: string) {
  await page.evaluate((href) => {
    const { __TSR_index: index = 0 } = history.state as { __TSR_index?: number }
    const key = crypto.randomUUID()
    history.pushState({ key, __TSR_key: key, __TSR_index: index + 1 }, '', href)
  }, path)
  await settled(page)
}

/** Waits until the page that is open has all its data, and has drawn them. */
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

/** What the application's router says of itself. */
type Router = {
  state: {
    status: 'pending' | 'idle'
    location: { href: string; state: { key?: string } }
    resolvedLocation?: { href: string }
  }
  options: { context: { queryClient: { isFetching: () => number } } }
}
