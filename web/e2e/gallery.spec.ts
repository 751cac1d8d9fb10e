import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, preview, type PreviewServer } from 'vite'
import { expect, takePicture, test } from './test'

const outDir = mkdtempSync(join(tmpdir(), 'almanac-gallery-'))
let server: PreviewServer | undefined
/** The URL of the gallery, which release builds do not have: it is built for these tests. */
let gallery = ''

test.beforeAll(async () => {
  test.setTimeout(120_000)
  process.env['ALMANAC_GALLERY'] = '1'
  const quiet = { logLevel: 'error', base: '/', build: { outDir, minify: false } } as const
  await build(quiet)
  // The policy of internal/webapp, with the nonce that the build contains.
  const headers = {
    'Content-Security-Policy':
      "default-src 'none'; script-src 'nonce-ALMANAC_NONCE'; style-src 'nonce-ALMANAC_NONCE'; img-src 'self' data: blob:; " +
      "media-src 'self' blob:; frame-src blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; " +
      'trusted-types almanac',
  }
  server = await preview({ ...quiet, preview: { host: '127.0.0.1', port: 0, headers } })
  gallery = `${server.resolvedUrls?.local[0]}dev/gallery`
})

test.afterAll(async () => {
  await server?.close()
  rmSync(outDir, { recursive: true, force: true })
})

test('the design system, from above to below', async ({ page }) => {
  test.setTimeout(180_000) // a long page
  await page.goto(gallery)
  await expect(page.getByRole('heading', { name: 'Gallery' })).toBeVisible()
  await takePicture(page, 'gallery', { whole: true, compared: true })
})

test('rows are selected, opened and left by keys', async ({ page }) => {
  await page.goto(gallery)
  const table = page.getByRole('grid', { name: 'Examples' })
  await table.focus()
  const selected = table.getByRole('row', { selected: true })
  const press = page.keyboard.press.bind(page.keyboard)
  await press('j')
  await press('x')
  await expect(selected).toHaveCount(1)
  await press('Shift+J')
  await press('Shift+J')
  await expect(selected).toHaveCount(3)
  await expect(page.getByText('3 selected')).toBeVisible()
  await press('Escape')
  await expect(selected).toHaveCount(0)
  await press('Enter')
  await expect(table.locator('[aria-current]')).toHaveAttribute('aria-rowindex', '4')
  await press('k') // the open row follows
  await expect(table.locator('[aria-current]')).toHaveAttribute('aria-rowindex', '3')
  await press('Escape')
  await expect(table.locator('[aria-current]')).toHaveCount(0)
  await press('End')
  await expect(table.locator('[aria-rowindex="501"]')).toBeVisible()
  await press('Control+a')
  await expect(page.getByText('500 selected')).toBeVisible()
  // Of 500 rows only the visible ones are in the DOM.
  expect(await table.getByRole('row').count()).toBeLessThan(60)
  await expect(table).toBeFocused()
})

test('rows are as high as their content, expand by keys, and stay clear of header and totals', async ({
  page,
}) => {
  await page.goto(gallery)
  const table = page.getByRole('grid', { name: 'Results' })
  const box = async (of: number) =>
    (await table.locator(`[role=row][aria-rowindex="${of}"]`).boundingBox()) ?? { y: 0, height: 0 }
  expect((await box(5)).height).toBeGreaterThan((await box(3)).height + 20)
  await table.focus()
  const press = page.keyboard.press.bind(page.keyboard)
  await press('j')
  await press('ArrowRight')
  const detail = table.getByText('What is known of item 0')
  await expect(detail).toBeVisible()
  const below = (await detail.boundingBox())?.y ?? 0
  expect((await box(4)).y).toBeGreaterThan(below)
  await press('ArrowLeft')
  await expect(detail).toHaveCount(0)
  const totals = table.getByRole('row', { name: 'Total' })
  const end = (await totals.boundingBox())?.y ?? 0
  // The row that the keys have reached is never hidden behind the totals.
  for (let at = 0; at < 12; at += 1) await press('j')
  await expect(table).toHaveAttribute('aria-activedescendant', 'results-row-12')
  await expect
    .poll(async () => {
      const row = await box(15)
      return row.y + row.height
    })
    .toBeLessThanOrEqual(end + 1)
})

test('text is edited by keys, and Tab leaves the editor', async ({ page }) => {
  await page.goto(gallery)
  const prompt = page.getByRole('textbox', { name: 'Prompt', exact: true })
  await prompt.click()
  const press = page.keyboard.press.bind(page.keyboard)
  await press('Control+End')
  await page.keyboard.type(' and {{que')
  await expect(page.getByRole('option', { name: 'question' })).toBeVisible()
  await press('Enter')
  await expect(prompt).toContainText('and {{question}}')
  await expect(prompt.locator('.cm-variable')).toHaveCount(4)
  await press('Tab')
  const json = page.getByRole('textbox', { name: 'Expected input' })
  await expect(json).toBeFocused()
  // Nothing was typed here yet.
  await press('Tab')
  await expect(json).not.toBeFocused()
  await press('Shift+Tab')
  await expect(json).toBeFocused()
  await press('Control+Home')
  await press('End')
  await press('Enter')
  await press('Tab')
  await page.keyboard.type('"count": 2,')
  await expect(json).toBeFocused()
  await press('Escape')
  await press('Tab')
  await expect(json).not.toBeFocused()

  const problems = page.getByRole('list', { name: 'Problems' })
  await expect(problems.first()).toContainText('“count” is not allowed here.')
  await problems.first().getByRole('button', { name: 'Line 4' }).press('Enter')
  await expect(json).toBeFocused()
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('"fr"')
})
