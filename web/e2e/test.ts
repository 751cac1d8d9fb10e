import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type BrowserContext, type Cookie, type Page } from '@playwright/test'
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

/** A program that is set up, and the browser session of its owner. */
export type Ready = Server & { project: string; organization: string; cookies: Cookie[] }

type WorkerFixtures = {
  /** A program that nobody has set up yet. */
  fresh: Server
  /** A program with an owner, a project and a trace. */
  server: Ready
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
      const cookies = await page.context().cookies()
      await page.close()
      const owned = { ...server, project, organization: '', cookies }
      const session = await ask<{ organizations: { id: string }[] }>(
        owned,
        'GET',
        '/api/ui/auth/session',
      )
      await sendTrace(server, { traceId: 'a1'.repeat(16), name: 'answer a question' })
      await use({ ...owned, organization: session.organizations[0]?.id ?? '' })
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

/** Opens an address as the owner, who is signed in. */
export async function open(page: Page, server: Ready, path: string) {
  await page.context().addCookies(server.cookies)
  await page.goto(server.url + path)
}

/** Asks the program something as the owner, without a browser. */
export async function ask<T = unknown>(
  server: Pick<Ready, 'url' | 'cookies'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const answer = await fetch(server.url + path, {
    method,
    headers: {
      Cookie: server.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
      Origin: server.url,
      'X-Almanac-CSRF': '1',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

/** A span as applications send it; attributes are text. */
export type Span = { traceId: string; name: string; attributes?: Record<string, string | number> }

/** Sends a trace of one span with the project's key, as an application does. */
export async function sendTrace(
  to: Pick<Server, 'url' | 'publicKey' | 'secretKey'>,
  { traceId, name, attributes = {} }: Span,
) {
  const now = Date.now()
  const answer = await fetch(`${to.url}/api/public/otel/v1/traces`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Basic ${Buffer.from(`${to.publicKey}:${to.secretKey}`).toString('base64')}`,
    },
    body: JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId,
                  spanId: traceId.slice(0, 16),
                  name,
                  startTimeUnixNano: `${now - 1234}000000`,
                  endTimeUnixNano: `${now}000000`,
                  attributes: Object.entries(attributes).map(([key, value]) => ({
                    key,
                    value: typeof value === 'number' ? { intValue: value } : { stringValue: value },
                  })),
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

const pictures = '.pictures'
const schemes = ['light', 'dark'] as const

/**
 * Takes pictures of the page that is open, in both themes, on a wide screen and on a telephone, and looks for what keeps people
 * from using it. On the narrowest screens, 320 px, nothing may stick out.
 */
export async function takePicture(page: Page, name: string, { whole = false } = {}) {
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.screenshot({
        path: `${pictures}/${name}-${colorScheme}-${width}.png`,
        fullPage: whole,
      })
      await expectAccessible(page)
    }
    await page.emulateMedia({ colorScheme: 'light' })
  }
  await page.setViewportSize({ width: 320, height: 640 })
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(wide, `${name} is ${wide} px wider than 320 px`).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Looks for what keeps people from using the page, by the rules of WCAG 2.2 AA. */
export async function expectAccessible(page: Page) {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe }
    // React Aria announces by an image without a name in a log that nobody sees.
    const context = { exclude: [['[role=log]']] }
    const result = await axe.run(context, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
    })
    return (
      result.violations
        .filter((v) => v.impact === 'serious' || v.impact === 'critical')
        // The results of the palette scroll by the arrow keys of its field, which keeps the focus.
        .filter((v) => v.nodes.some((n) => !n.html.includes('aria-label="Results"')))
        .map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.html.slice(0, 200)).join(' | ')})`)
    )
  })
  expect(violations).toEqual([])
}

type Axe = { run: (context: object, options: object) => Promise<AxeResult> }

type AxeResult = {
  violations: { id: string; impact: string | null; help: string; nodes: { html: string }[] }[]
}
