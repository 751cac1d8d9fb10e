import type { Page } from '@playwright/test'

/** No task may keep the page from following the hand for longer than this, in ms. */
export const longestAllowed = 50

type TraceEvent = {
  name: string
  pid: number
  tid: number
  /** The time of a processor that it took, in microseconds. */
  tdur?: number
  args: { name?: string }
}

/**
 * The longest task of the page's main thread while something happens, in ms of processor time. Where other programs want the
 * processors, too, a task lasts many times as long as it works: its duration says how busy the machine is, the time of the
 * processor what the page does. Scrolling takes 18 to 27 ms on two cores that fifteen processes want, while the same tasks last up
 * to 118. What is over the bound is tried again, twice: a page that does too much does so each time, an accident happens once.
 */
export async function longestTask(page: Page, happens: () => Promise<unknown>): Promise<number> {
  let least = Infinity
  for (let tries = 0; tries < 3 && least > longestAllowed; tries++)
    least = Math.min(least, await longestOnce(page, happens))
  return least
}

async function longestOnce(page: Page, happens: () => Promise<unknown>): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser of its own')
  await browser.startTracing(page, {
    categories: ['__metadata', 'disabled-by-default-devtools.timeline'],
  })
  await happens()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const threads = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(threadOf),
  )
  const tasks = traceEvents.filter(
    (event) => event.name === 'RunTask' && event.tdur !== undefined && threads.has(threadOf(event)),
  )
  if (tasks.length === 0) throw new Error('no tasks were recorded')
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur)) / 1000
}
