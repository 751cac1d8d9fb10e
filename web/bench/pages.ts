import { pretendKeys, scrollList, type Scrolling } from '../e2e/perf/manyRows'
import { clickUntilPainted, firstPaint, keyUntilPainted, loadUntilPainted } from './painted'
import { runs } from './runs'
import type { Measurement, Stage } from './measurement'

/** What people wait for. */
export const pages: Measurement[] = [
  {
    name: 'first contentful paint, empty cache',
    unit: 'ms',
    budget: { atMost: 400 },
    run: ({ newContext, server, project }) =>
      runs(async () => {
        const context = await newContext()
        const paint = await firstPaint(await context.newPage(), `${server.url}/project/${project}`)
        await context.close()
        return paint
      }),
  },
  {
    name: 'first contentful paint, warm cache',
    unit: 'ms',
    budget: { atMost: 150 },
    run: async ({ newPage, server, project }) => {
      const page = await newPage()
      const samples = await runs(() => firstPaint(page, `${server.url}/project/${project}`))
      await page.context().close()
      return samples
    },
  },
  {
    name: 'the frame of the page painted, empty cache',
    unit: 'ms',
    run: ({ newContext, server, project }) =>
      runs(async () => {
        const context = await newContext()
        const address = `${server.url}/project/${project}`
        const frame = { selector: 'nav[aria-label="Pages"]' }
        const painted = await loadUntilPainted(await context.newPage(), address, frame)
        await context.close()
        return painted
      }),
  },
  {
    name: 'from one settings page to another: rows painted',
    unit: 'ms',
    budget: { atMost: 150 },
    run: async ({ newPage, server, project }) => {
      const page = await newPage()
      const samples = await runs(async () => {
        // A reloaded page has no rows in memory: they are requested.
        await page.goto(`${server.url}/project/${project}/settings/api-keys`)
        await page.getByRole('gridcell').first().waitFor()
        return clickUntilPainted(
          page,
          { selector: 'nav a[href$="/settings/members"]' },
          {
            selector: '[aria-label="Members"] [role=gridcell]',
          },
        )
      })
      await page.context().close()
      return samples
    },
  },
  {
    name: 'key pressed in the palette: results painted',
    unit: 'ms',
    run: async ({ newPage, server, project }) => {
      const page = await newPage()
      await page.goto(`${server.url}/project/${project}`)
      await page.locator('h1').first().waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('menuitem').first().waitFor()
      const letters = ['s', 'e', 't', 't', 'Backspace', 'Backspace', 'Backspace', 'Backspace']
      let next = 0
      const samples = await runs(() =>
        keyUntilPainted(page, letters[next++ % letters.length] ?? ''),
      )
      await page.context().close()
      return samples
    },
  },
  {
    name: 'list of 10,000 rows: frames while scrolling',
    unit: 'frames/s',
    budget: { atLeast: 58 },
    run: async (stage) => (await scrolled(stage)).map((each) => each.framesPerSecond),
  },
  {
    name: 'list of 10,000 rows: tasks over 50 ms in 3 s of scrolling',
    unit: 'tasks',
    budget: { atMost: 0 },
    run: async (stage) => (await scrolled(stage)).map((each) => each.longTasks.length),
  },
  {
    name: 'list of 10,000 rows: rows in the document',
    unit: 'rows',
    budget: { atMost: 80 },
    isEnforced: true,
    run: async (stage) => (await scrolled(stage)).map((each) => each.mostRows),
  },
]

const scrollings = 5
const samples = new WeakMap<Stage, Promise<Scrolling[]>>()

/** Scrolls once for all measurements that look at it. */
function scrolled(stage: Stage): Promise<Scrolling[]> {
  const known = samples.get(stage)
  if (known) return known
  const made = scroll(stage)
  samples.set(stage, made)
  return made
}

async function scroll({ newPage, server, project }: Stage): Promise<Scrolling[]> {
  const page = await newPage()
  await pretendKeys(page, 10_000)
  await page.goto(`${server.url}/project/${project}/settings/api-keys`)
  await page.getByText('Key 0', { exact: true }).waitFor()
  const found: Scrolling[] = []
  while (found.length < scrollings) found.push(await scrollList(page.getByRole('grid'), 3))
  await page.context().close()
  return found
}
