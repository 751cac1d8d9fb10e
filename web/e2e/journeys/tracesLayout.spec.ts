import type { Page } from '@playwright/test'
import { expect, open, settled, test } from '../test'

const firstRow = '[role=grid] [data-index="0"]'

test('on a wide screen the columns that matter fit, and nothing moves', async ({ page, demo }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d`)
  await page.locator(firstRow).waitFor()
  await settled(page)
  const grid = await page.getByRole('grid', { name: 'Traces' }).boundingBox()
  if (!grid) throw new Error('there is no table')
  for (const name of ['Name', 'Input', 'Output', 'Latency', 'Tokens', 'Cost', 'User']) {
    const box = await page.getByRole('columnheader', { name: new RegExp(`^${name}`) }).boundingBox()
    expect(box, name).not.toBeNull()
    expect((box?.x ?? 0) + (box?.width ?? 0), name).toBeLessThanOrEqual(grid.x + grid.width)
  }

  // The demo has costs of a few millionths, and users whose names differ at the end.
  expect(await page.evaluate(cutCells), 'cells that are cut although they matter').toEqual([])

  const before = await boxes(page)
  await page.getByRole('checkbox', { name: 'Select row 2', exact: true }).click()
  await expect(page.getByText('1 selected')).toBeVisible()
  expect(await boxes(page)).toEqual(before)
  await page.keyboard.press('Escape')

  await page.locator(firstRow).click({ position: { x: 200, y: 10 } })
  await expect(page.getByRole('region', { name: 'Selected trace' })).toBeVisible()
  await settled(page)
  expect(await boxes(page)).toEqual(before)
  // The rows beside the panel can still be seen and clicked.
  await page.locator('[role=grid] [data-index="3"]').click({ position: { x: 200, y: 10 } })
  await expect(page.locator('[role=grid] [data-index="3"]')).toHaveAttribute('aria-current', 'true')
})

test('on a phone the rows begin in the upper half of the screen', async ({ page, demo }) => {
  await page.setViewportSize({ width: 390, height: 664 })
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d`)
  const row = page.locator(firstRow)
  await row.waitFor()
  await settled(page)
  const box = await row.boundingBox()
  expect((box?.y ?? 664) + (box?.height ?? 0)).toBeLessThanOrEqual(332)

  // What was folded away is one tap away.
  const chart = page.getByRole('img', { name: /traces over time/ })
  await expect(chart).toBeHidden()
  await page.getByRole('button', { name: 'Chart and tools' }).click()
  await expect(chart).toBeVisible()
  await expect(page.getByRole('button', { name: 'Export' })).toBeVisible()
})

test('on a tablet the bar above the page is one line', async ({ page, demo }) => {
  await page.setViewportSize({ width: 768, height: 1024 })
  await open(page, demo, `/project/${demo.project}`)
  await settled(page)
  const bar = await page.getByRole('banner').boundingBox()
  expect(bar?.height).toBeLessThan(50)
  const account = await page.getByRole('button', { name: /^Account of/ }).boundingBox()
  expect((account?.x ?? 0) + (account?.width ?? 0)).toBeGreaterThan(740)
})

/** The costs and users of the rows in sight of which a part is hidden. */
function cutCells() {
  return [...document.querySelectorAll('[role=gridcell]')]
    .filter((cell) => /^<?\$|^(customer|staff)-/.test(cell.textContent))
    .filter((cell) =>
      [...cell.querySelectorAll('*')].some(
        (part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0,
      ),
    )
    .map((cell) => cell.textContent)
}

/** Where everything around and in the table is. */
function boxes(page: Page) {
  return page.evaluate(() =>
    [
      '[role=grid]',
      '[role=columnheader]',
      '[role=grid] [data-index]',
      '[role=grid] [data-index="0"] [role=gridcell]',
      'aside[aria-label=Facets]',
      'section[aria-label="Over time"]',
      'main search',
    ].flatMap((selector) =>
      [...document.querySelectorAll(selector)].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return `${selector} ${x} ${y} ${width} ${height}`
      }),
    ),
  )
}
