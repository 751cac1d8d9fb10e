import type { Locator } from '@playwright/test'
import { type Examples, pagesOf } from './examples'
import { expect, go, newProject, open, settled, takePicture, test } from './test'

// Each has its own worker: together they take most of the time of the browser tests.
test.describe.configure({ mode: 'parallel', timeout: 180_000 })

const names = Object.keys(pagesOf({ organization: '', project: '', model: '' } as Examples))
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
      await takePicture(page, name)
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
    'raw-prompt': `/project/${project}/${stored.prompt}`,
    'raw-missing': `/project/${project}/traces/${'0'.repeat(32)}`,
    'raw-nothing': `/project/${project}/playground`,
    'trace-nowhere': `/trace/${'0'.repeat(32)}`,
    'not-found': '/project/nothing/traces',
  }
  await open(page, server, '/') // after the project was created, since the page loads the projects when it starts
  await settled(page)
  for (const [name, path] of Object.entries(pages)) {
    await go(page, path)
    await takePicture(page, name)
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
    await takePicture(page, name)
  }
})

test('what opens over a page', async ({ page, server, examples }) => {
  const base = `/project/${examples.project}`
  const take = async (name: string, opened: Locator) => {
    await expect(opened).toBeVisible() // some are loaded when they are opened
    await takePicture(page, name)
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
