import type { Page } from '@playwright/test'
import { pretendKeys, scrollList, type Scrolling } from '../e2e/perf/manyRows'
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
    name: 'from one settings page to another: rows painted',
    unit: 'ms',
    budget: { atMost: 150 },
    run: async ({ newPage, server, project }) => {
      const page = await newPage()
      const samples = await runs(async () => {
        // A page that is loaded anew has no rows in memory: they are asked for.
        await page.goto(`${server.url}/project/${project}/settings/api-keys`)
        await page.getByRole('gridcell').first().waitFor()
        return clickUntilPainted(
          page,
          'nav a[href$="/settings/members"]',
          '[aria-label="Members"] [role=gridcell]',
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

async function firstPaint(page: Page, address: string): Promise<number> {
  await page.goto(address)
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0]
          if (paint) done(paint.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}

/** The time from a click until the frame after the one in which something is in the document. */
async function clickUntilPainted(page: Page, click: string, shows: string): Promise<number> {
  return page.evaluate(
    ([click, shows]) =>
      new Promise<number>((done, failed) => {
        const target = document.querySelector<HTMLElement>(click)
        if (!target) return failed(new Error(`there is no ${click}`))
        const from = performance.now()
        const look = () => {
          if (!document.querySelector(shows)) return requestAnimationFrame(look)
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => done(performance.now() - from))
          port1.start()
          return port2.postMessage(undefined) // delivered after this frame is painted
        }
        target.click()
        requestAnimationFrame(look)
      }),
    [click, shows] as const,
  )
}

/** The time from a key until the frame that it causes is painted. */
async function keyUntilPainted(page: Page, key: string): Promise<number> {
  const painted = await page.evaluateHandle(() => ({
    time: new Promise<number>((done) => {
      const onKey = (event: KeyboardEvent) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => done(performance.now() - event.timeStamp))
          port1.start()
          port2.postMessage(undefined)
        })
      document.addEventListener('keydown', onKey, { capture: true, once: true })
    }),
  }))
  await page.keyboard.press(key)
  return painted.evaluate(({ time }) => time)
}

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
  while (found.length < scrollings) found.push(await scrollList(page, 3))
  await page.context().close()
  return found
}
