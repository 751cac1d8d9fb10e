import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test'
import { type Server, startServer } from './server'

export { expect }

/** The first owner of a server that is set up. */
export const owner = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  password: 'correct horse battery',
}

type Fixtures = {
  /** What went wrong in pages; must be empty at the end of each test. */
  problems: string[]
}

type WorkerFixtures = {
  /** A program that nobody has set up yet. */
  fresh: Server
  /** A program with an owner, a project and a trace. */
  server: Server & { project: string; organization: string }
}

/** Requests to other origins, violations of the content security policy and uncaught errors fail every test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  fresh: [
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await startServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ browser }, use) => {
      const server = await startServer()
      const page = await browser.newPage()
      await setUp(page, server)
      const project = /\/project\/([^/?#]+)/.exec(page.url())?.[1] ?? ''
      const organization = await page.evaluate(async () => {
        const answer = await fetch('/api/ui/auth/session')
        return (
          ((await answer.json()) as { organizations: { id: string }[] }).organizations[0]?.id ?? ''
        )
      })
      await page.close()
      await sendTrace(server, 'a1'.repeat(16), 'answer a question')
      await use({ ...server, project, organization })
      await server.stop()
    },
    { scope: 'worker' },
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

/** Opens an address as a person who is signed in. */
export async function open(page: Page, server: Server, path: string) {
  await page.goto(server.url + path)
  if (new URL(page.url()).pathname.endsWith('/auth/sign-in') || (await isSignedOut(page))) {
    await page.waitForURL(/sign-in/)
    await signIn(page)
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
  }
}

async function isSignedOut(page: Page) {
  const session = await page.evaluate(async () => {
    const answer = await fetch('/api/ui/auth/session')
    return (await answer.json()) as { user: unknown }
  })
  return session.user === null
}

/** Sends a trace of one span with the project's key, as an application does. */
export async function sendTrace(server: Server, traceId: string, name: string) {
  const now = `${Date.now()}000000`
  const answer = await fetch(`${server.url}/api/public/otel/v1/traces`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`${server.publicKey}:${server.secretKey}`).toString('base64')}`,
    },
    body: JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId,
                  spanId: 'b7ad6b7169203331',
                  name,
                  startTimeUnixNano: now,
                  endTimeUnixNano: now,
                },
              ],
            },
          ],
        },
      ],
    }),
  })
  if (!answer.ok) throw new Error(`a trace was answered ${answer.status}: ${await answer.text()}`)
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Looks for what keeps people from using the page, by the rules of WCAG 2.2 AA. */
export async function expectAccessible(page: Page) {
  await page.evaluate(axeSource)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe }
    // React Aria announces by an image without a name in a log that nobody sees.
    const context = { exclude: [['[role=log]']] }
    const result = await axe.run(context, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return result.violations
      .filter((v) => v.impact === 'serious' || v.impact === 'critical')
      .map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.html.slice(0, 200)).join(' | ')})`)
  })
  expect(violations).toEqual([])
}

type Axe = { run: (context: object, options: object) => Promise<AxeResult> }

type AxeResult = {
  violations: { id: string; impact: string | null; help: string; nodes: { html: string }[] }[]
}
