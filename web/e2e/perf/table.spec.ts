import { expect, open, test } from '../test'
import { pretendKeys, scrollList } from './manyRows'

const rows = 10_000

test(`of ${rows} rows only those in sight are in the document, also while the list is scrolled`, async ({
  page,
  server,
}) => {
  await pretendKeys(page, rows)
  await open(page, server, `/project/${server.project}/settings/api-keys`)
  const grid = page.getByRole('grid', { name: 'API keys' })
  await expect(grid.getByText('Key 0', { exact: true })).toBeVisible()
  await expect(grid).toHaveAttribute('aria-rowcount', String(rows + 1))

  const scrolling = await scrollList(grid, 2)
  // Timings are for `make bench-web`: here the machine may be busy with other tests.
  test.info().annotations.push({
    type: 'long tasks',
    description: scrolling.longTasks.join(', ') || 'none',
  })
  expect(scrolling.distance).toBeGreaterThan(0)
  expect(scrolling.mostRows).toBeGreaterThan(10)
  expect(scrolling.mostRows).toBeLessThan(80)

  // The end is as near as the beginning.
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(grid.getByText(`Key ${rows - 1}`, { exact: true })).toBeVisible()
  expect(await grid.getByRole('row').count()).toBeLessThan(80)
})
