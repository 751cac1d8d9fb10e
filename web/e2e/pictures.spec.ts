import type { Locator } from '@playwright/test'
import { type Examples, pagesOf } from './examples'
import { ask, expect, go, newProject, open, settled, smallPicture, takePicture, test } from './test'

// Each has its own worker: together they take most of the time of the browser tests.
test.describe.configure({ mode: 'parallel', timeout: 180_000 })

/** A Wednesday at noon: the server starts at this time, and browsers are a little later. */
const noon = Date.UTC(2026, 2, 4, 12)
test.use({ at: noon })
test.beforeEach(({ page }) => page.clock.setFixedTime(noon + 75 * 60_000))

const names = Object.keys(
  pagesOf({ organization: '', project: '', model: '', dataset: '', queue: '' } as Examples),
)
const half = Math.ceil(names.length / 2)

for (const [part, chosen] of [
  ['first', names.slice(0, half)],
  ['second', names.slice(half)],
] as const) {
  test(`every page, the ${part} half`, async ({ page, server, examples }) => {
    const pages = pagesOf(examples)
    await open(page, server, '/')
    await settled(page)
    for (const name of chosen) {
      await go(page, pages[name] ?? '')
      await expect(page.locator('h1').first()).toBeVisible()
      await takePicture(page, name, { compared: true })
    }
  })
}

test('lists without rows, and pages that are to come', async ({ page, server, examples }) => {
  const { project, stored } = examples
  const empty = `/project/${(await newProject(server, 'Empty')).project}`
  const pages: Record<string, string> = {
    'empty-connections': `${empty}/settings/llm-connections`,
    'empty-scores': `${empty}/settings/scores`,
    'raw-trace': `/project/${project}/${stored.trace}`,
    'raw-missing': `/project/${project}/traces/${'0'.repeat(32)}`,
    'trace-nowhere': `/trace/${'0'.repeat(32)}`,
    'not-found': '/project/nothing/traces',
  }
  await open(page, server, '/') // after the project was created, since the page loads the projects when it starts
  await settled(page)
  for (const [name, path] of Object.entries(pages)) {
    await go(page, path)
    await takePicture(page, name, { compared: true })
  }
})

test('before sign-in', async ({ page, server, examples }) => {
  const pages: Record<string, string> = {
    'sign-in': '/auth/sign-in',
    'forgot-password': '/auth/forgot-password',
    'reset-password': examples.reset,
    'reset-password-used': '/auth/reset-password',
    invitation: examples.invitation,
    'invitation-used': '/invite/nothing',
  }
  await page.goto(`${server.url}/auth/sign-in`)
  await settled(page)
  for (const [name, address] of Object.entries(pages)) {
    await go(page, address)
    await takePicture(page, name, { compared: true })
  }
})

test('tables and a trace', async ({ page, demo }) => {
  const { data } = await ask<{ data: { traceId: string }[] }>(
    demo,
    'GET',
    `/api/ui/projects/${demo.project}/v2/observations?level=ERROR&type=TOOL&limit=1`,
  )
  const trace = `/traces/${data[0]?.traceId}`
  const failed = 'filter=level%3BstringOptions%3B%3Bany%20of%3BERROR'
  const pages: Record<string, string> = {
    'traces-table': '/traces?dateRange=7d',
    'observations-table': '/observations?dateRange=7d',
    'traces-groups': '/observations?dateRange=7d&group=name',
    'traces-differences': `/traces?dateRange=7d&compare=query&${failed}`,
    trace,
    'trace-over-time': `${trace}?view=timeline&traceTab=transcript`,
    'demo-home': '?dateRange=7d',
  }
  await open(page, demo, `/project/${demo.project}/traces`)
  await settled(page)
  for (const [name, path] of Object.entries(pages)) {
    await go(page, `/project/${demo.project}${path}`)
    await takePicture(page, name, { compared: true })
  }
})

test('a moved button and a changed colour are noticed', async ({ page, server }) => {
  await page.goto(`${server.url}/auth/sign-in`)
  await settled(page)
  const accepted = 'sign-in-light-1440.webp'
  expect(await smallPicture(page)).toMatchSnapshot(accepted)
  const button = page.getByRole('button', { name: 'Sign in', exact: true })
  await button.evaluate((element) => (element.style.translate = '0 8px'))
  expect(await smallPicture(page)).not.toMatchSnapshot(accepted)
  await button.evaluate((element) => (element.style.translate = ''))
  expect(await smallPicture(page)).toMatchSnapshot(accepted)
  await button.evaluate((element) => (element.style.backgroundColor = 'oklch(0.55 0.2 300)'))
  expect(await smallPicture(page)).not.toMatchSnapshot(accepted)
})

test('what opens over a page', async ({ page, server, examples }) => {
  const base = `/project/${examples.project}`
  const take = async (name: string, opened: Locator) => {
    await expect(opened).toBeVisible() // some are loaded when they are opened
    await takePicture(page, name, { compared: true })
    await page.keyboard.press('Escape')
    await expect(opened).toBeHidden()
  }
  await open(page, server, base)
  await settled(page)
  await page.getByRole('button', { name: 'Search and go anywhere' }).click()
  await take('palette', page.getByRole('dialog', { name: 'Search and go anywhere' }))
  await page.keyboard.press('?')
  await take('keys', page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
  await go(page, `${base}/settings/api-keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  await take('new-key', page.getByRole('dialog'))
  await page
    .getByRole('button', { name: /^Revoke/ })
    .first()
    .click()
  await take('revoke-key', page.getByRole('alertdialog'))
  await go(page, `${base}/settings/audit-logs`)
  await page
    .getByRole('row', { name: /update/ })
    .first()
    .click()
  await take('audit-entry', page.getByRole('dialog'))
  await go(page, `${base}/settings/scores`)
  await page.getByRole('button', { name: /^New/ }).first().click()
  await take('new-score-config', page.getByRole('dialog'))
})
