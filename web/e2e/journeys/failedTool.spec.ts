import type { Locator } from '@playwright/test'
import { expect, open, test } from '../test'

/** The folder for the screenshots of docs/web.md; they are retaken if this is set. */
const pictures = process.env['ALMANAC_DOC_PICTURES']

test('from the address to the tool call that failed: six clicks and 30 seconds at most', async ({
  page,
  demo,
}) => {
  test.setTimeout(60_000)
  await page.setViewportSize({ width: 1040, height: 560 })
  let clicks = 0
  let spent = 0
  let since = Date.now()
  // A step is what a person does: see what to click, and click it. Screenshots do not count.
  const click = async (target: Locator, picture?: string) => {
    await expect(target).toBeVisible()
    spent += Date.now() - since
    if (pictures !== undefined && picture !== undefined)
      await page.screenshot({ path: `${pictures}/${picture}.png` })
    since = Date.now()
    clicks += 1
    await target.click()
  }
  await open(page, demo, `/project/${demo.project}`)
  await click(page.getByRole('link', { name: /Traces with errors/ }), 'home')
  await click(page.getByRole('link', { name: 'Observations', exact: true }))
  const table = page.getByRole('grid', { name: 'Observations' })
  await expect(table.getByRole('row').nth(1)).toBeVisible()
  await click(
    page.getByRole('complementary').locator('label', { hasText: /^TOOL/ }),
    'observations',
  )
  await expect(page).toHaveURL(/TOOL/)
  await expect(table).toHaveAttribute('aria-busy', 'false')
  await click(table.getByRole('row').nth(1), 'tools')
  await expect(page.getByRole('alert').getByText('Error', { exact: true })).toBeVisible()
  await expect(page.getByText(/no answer within 4 s/).last()).toBeVisible()
  spent += Date.now() - since
  if (pictures !== undefined) {
    await page.setViewportSize({ width: 1040, height: 700 })
    await page.screenshot({ path: `${pictures}/why.png` })
  }
  test.info().annotations.push({ type: 'took', description: `${clicks} clicks, ${spent} ms` })
  expect(clicks).toBeLessThanOrEqual(6)
  expect(spent).toBeLessThan(30_000)
})
