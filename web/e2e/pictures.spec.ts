import { type Examples, fill, pagesOf } from './examples'
import { expect, open, takePicture, test as base } from './test'

const test = base.extend<object, { examples: Examples }>({
  examples: [
    async ({ server }, use) => use(await fill(server, (words) => words)),
    { scope: 'worker' },
  ],
})

// Each has its own worker: together they are most of what the browser tests do.
test.describe.configure({ mode: 'parallel', timeout: 180_000 })

const names = Object.keys(pagesOf({ organization: '', project: '', model: '' } as Examples))
const half = Math.ceil(names.length / 2)

for (const [part, chosen] of [
  ['first', names.slice(0, half)],
  ['second', names.slice(half)],
] as const) {
  test(`every page, the ${part} half`, async ({ page, server, examples }) => {
    await page.context().addCookies(server.cookies)
    const pages = pagesOf(examples)
    for (const name of chosen) {
      await page.goto(server.url + pages[name])
      await page.waitForLoadState('networkidle')
      await expect(page.locator('h1').first()).toBeVisible()
      await takePicture(page, name)
    }
  })
}

test('lists without rows, and pages that are to come', async ({ page, server, examples }) => {
  await page.context().addCookies(server.cookies)
  const { project, stored } = examples
  const empty = `/project/${server.project}`
  const pages: Record<string, string> = {
    'empty-connections': `${empty}/settings/llm-connections`,
    'empty-scores': `${empty}/settings/scores`,
    'raw-trace': `/project/${project}/${stored.trace}`,
    'raw-prompt': `/project/${project}/${stored.prompt}`,
    'raw-missing': `/project/${project}/traces/${'0'.repeat(32)}`,
    'raw-nothing': `/project/${project}/playground`,
    'trace-nowhere': `/trace/${'0'.repeat(32)}`,
    'not-found': '/project/nothing/traces',
  }
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(server.url + path)
    await page.waitForLoadState('networkidle')
    await takePicture(page, name)
  }
})

test('before sign-in', async ({ page, server, examples }) => {
  const pages: Record<string, string> = {
    'sign-in': `${server.url}/auth/sign-in`,
    'forgot-password': `${server.url}/auth/forgot-password`,
    'reset-password': examples.reset,
    'reset-password-used': `${server.url}/auth/reset-password`,
    invitation: examples.invitation,
    'invitation-used': `${server.url}/invite/nothing`,
  }
  for (const [name, address] of Object.entries(pages)) {
    await page.goto(address)
    await page.waitForLoadState('networkidle')
    await takePicture(page, name)
  }
})

test('what opens over a page', async ({ page, server, examples }) => {
  const base = `/project/${examples.project}`
  await open(page, server, base)
  await page.getByRole('button', { name: 'Search and go anywhere' }).click()
  await takePicture(page, 'palette')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await takePicture(page, 'keys')
  await page.goto(`${server.url}${base}/settings/api-keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  await takePicture(page, 'new-key')
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await takePicture(page, 'revoke-key')
  await page.goto(`${server.url}${base}/settings/audit-logs`)
  await page
    .getByRole('row', { name: /update/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await takePicture(page, 'audit-entry')
  await page.goto(`${server.url}${base}/settings/scores`)
  await page.getByRole('button', { name: /^New/ }).first().click()
  await takePicture(page, 'new-score-config')
})
