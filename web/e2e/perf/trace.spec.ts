import { expect, open, test } from '../test'
import { heapOf } from './heap'
import { sendLargeTrace } from './largeTrace'
import { scrollList } from './manyRows'
import { longestAllowed, longestTask } from './tasks'

const count = 30_000

test(`of ${count} observations only those in sight are in the document, and all can be reached`, async ({
  page,
  server,
}) => {
  test.setTimeout(180_000)
  const traceId = 'e1'.repeat(16)
  await sendLargeTrace(server, traceId, count)
  await open(page, server, `/project/${server.project}/traces/${traceId}?view=timeline`)
  const tree = page.getByRole('tree', { name: 'Observations' })
  await expect(page.getByText(`${count.toLocaleString('en-US')} observations`)).toBeVisible()
  await tree.focus()
  await page.keyboard.press('End')
  const last = tree.getByRole('treeitem', { selected: true })
  await expect(last).toBeVisible()
  await expect(page).toHaveURL(/observation=/)
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(80)
  expect(await heapOf(page)).toBeLessThan(150)
  for (const view of ['Timeline', 'Tree']) {
    await page.getByRole('radio', { name: view }).click()
    await tree.evaluate((element) => element.scrollTo(0, 0))
    const longest = await longestTask(page, async () => {
      const scrolling = await scrollList(tree, 2)
      expect(scrolling.distance).toBeGreaterThan(0)
      expect(scrolling.mostRows).toBeLessThan(80)
    })
    expect(longest, view).toBeLessThan(longestAllowed)
  }
  // Level by level: the root and its seven children, with the trace above them.
  await page.keyboard.press('2')
  await expect(tree.getByRole('treeitem')).toHaveCount(9)
})
