import type { Page } from '@playwright/test'
import { attributesOf, sendSpans } from '../e2e/client'
import { heapOf } from '../e2e/perf/heap'
import { sendLargeTrace } from '../e2e/perf/largeTrace'
import { scrollList } from '../e2e/perf/manyRows'
import type { Measurement, Stage } from './measurement'
import { clickUntilPainted, loadUntilPainted } from './painted'
import { runs } from './runs'

const large = 30_000
const largest = 100_000
const of = (count: number) => `trace of ${count.toLocaleString('en-US')} observations`

/** What people wait for when they open large traces. */
export const traces: Measurement[] = [
  {
    name: `${of(large)}: first row painted`,
    unit: 'ms',
    budget: { atMost: 500 },
    run: (stage) => firstRows(stage, large),
  },
  {
    name: `${of(largest)}: first row painted`,
    unit: 'ms',
    budget: { atMost: 3000 },
    run: (stage) => firstRows(stage, largest),
  },
  {
    name: `${of(large)}: heap`,
    unit: 'MB',
    budget: { atMost: 150 },
    isEnforced: true,
    run: async (stage) => {
      const page = await opened(stage, large)
      const heap = await heapOf(page)
      await page.context().close()
      return [heap]
    },
  },
  {
    name: `${of(large)}: frames while the tree is scrolled`,
    unit: 'frames/s',
    budget: { atLeast: 58 },
    run: async (stage) => {
      const page = await opened(stage, large)
      const tree = page.getByRole('tree', { name: 'Observations' })
      const samples: number[] = []
      while (samples.length < 3) samples.push((await scrollList(tree, 3)).framesPerSecond)
      await page.context().close()
      return samples
    },
  },
  {
    name: 'another observation selected: 20 kB of input painted',
    unit: 'ms',
    budget: { atMost: 100 },
    run: selected,
  },
]

const firstRow = { selector: '[data-trace-tree] [data-row="1"]' }
const traceIdOf = (count: number) => count.toString(16).padStart(32, '0')
const addressOf = ({ server, project }: Stage, traceId: string) =>
  `${server.url}/project/${project}/traces/${traceId}`

async function firstRows(stage: Stage, count: number): Promise<number[]> {
  const page = await opened(stage, count)
  const samples = await runs(() =>
    loadUntilPainted(page, addressOf(stage, traceIdOf(count)), firstRow),
  )
  await page.context().close()
  return samples
}

const sent = new WeakMap<Stage, Map<number, Promise<void>>>()

/** A page that shows a large trace, which is sent only once. */
async function opened(stage: Stage, count: number): Promise<Page> {
  const known = sent.get(stage) ?? new Map<number, Promise<void>>()
  sent.set(stage, known)
  const sending = known.get(count) ?? sendLargeTrace(stage.server, traceIdOf(count), count)
  known.set(count, sending)
  await sending
  const page = await stage.newPage()
  await page.goto(addressOf(stage, traceIdOf(count)))
  await page.locator(firstRow.selector).waitFor()
  return page
}

/** Steps from one observation to the next; none of them has been loaded before. */
async function selected(stage: Stage): Promise<number[]> {
  const traceId = 'd1'.repeat(16)
  const spanId = (n: number) => (n + 1).toString(16).padStart(16, 'd')
  const now = Date.now()
  const spans = Array.from({ length: 25 }, (_, n) => ({
    traceId,
    spanId: spanId(n),
    ...(n > 0 && { parentSpanId: spanId(0) }),
    name: `step ${n}`,
    startTimeUnixNano: `${now + n}000000`,
    endTimeUnixNano: `${now + n + 1}000000`,
    attributes: attributesOf({
      'langfuse.observation.input': `words of ${n}: ${'some more of them, '.repeat(1100)}`,
    }),
  }))
  await sendSpans(stage.server, spans)
  const page = await stage.newPage()
  await page.goto(addressOf(stage, traceId))
  await page.locator(firstRow.selector).waitFor()
  let next = 1
  const samples = await runs(() => {
    const row = next++
    return clickUntilPainted(
      page,
      { selector: `[data-trace-tree] [data-row="${row}"]` },
      {
        selector: 'section[aria-label="Input"]',
        text: `words of ${row}:`,
      },
    )
  })
  await page.context().close()
  return samples
}
