import { expect, open, test } from '../test'
import { pretendKeys, scrollList } from './manyRows'
import { longestAllowed, longestTask } from './tasks'

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

  const longest = await longestTask(page, async () => {
    const scrolling = await scrollList(grid, 2)
    expect(scrolling.distance).toBeGreaterThan(0)
    expect(scrolling.mostRows).toBeGreaterThan(10)
    expect(scrolling.mostRows).toBeLessThan(80)
  })
  expect(longest).toBeLessThan(longestAllowed)

  // The end is reached as quickly as the beginning.
  await grid.evaluate((element) => element.scrollTo(0, element.scrollHeight))
  await expect(grid.getByText(`Key ${rows - 1}`, { exact: true })).toBeVisible()
  expect(await grid.getByRole('row').count()).toBeLessThan(80)
})

test('a pinned cell stays where it is when the list is scrolled to the side', async ({
  page,
  server,
}) => {
  await pretendKeys(page, 100)
  await page.setViewportSize({ width: 700, height: 600 })
  await open(page, server, `/project/${server.project}/settings/api-keys?pin=note&w=note:200`)
  const grid = page.getByRole('grid', { name: 'API keys' })
  const cell = grid.getByRole('gridcell', { name: 'Key 1', exact: true })
  const at = async () => (await cell.boundingBox())?.x
  const before = await at()
  await grid.evaluate((element) => element.scrollTo(150, 0))
  expect(await grid.evaluate((element) => element.scrollLeft)).toBe(150)
  await expect.poll(at).toBe(before)
  await grid.evaluate((element) => element.scrollTo(0, 200))
  await expect.poll(at).toBe(before)
})

test('a task that works for too long is seen', async ({ page, server }) => {
  await open(page, server, '/auth/sign-in')
  const work = () =>
    page.evaluate(() => {
      let sum = 0
      for (let n = 0; n < 300_000_000; n++) sum += n % 7
      return sum
    })
  expect(await longestTask(page, work)).toBeGreaterThan(longestAllowed)
})
