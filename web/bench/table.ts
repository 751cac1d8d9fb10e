import type { Page } from '@playwright/test'
import { attributesOf, newProject, type Ready, sendSpans } from '../e2e/client'
import { scrollList } from '../e2e/perf/manyRows'
import { clickUntilPainted } from './painted'
import { runs } from './runs'
import type { Measurement, Stage } from './measurement'

/** The number of observations in the table; ALMANAC_BENCH_ROWS overrides it. */
const rows = Number(process.env['ALMANAC_BENCH_ROWS'] ?? 1_000_000)
const of = `table of ${rows.toLocaleString('en-US')} observations`

/** What people wait for when they look for one trace among many. */
export const table: Measurement[] = [
  {
    name: `${of}: first rows after navigation`,
    unit: 'ms',
    budget: { atMost: 150 },
    run: (stage) => fromHome(stage, [firstRow]),
  },
  {
    name: `${of}: facets and histogram as well`,
    unit: 'ms',
    budget: { atMost: 500 },
    run: (stage) => fromHome(stage, [firstRow, facet, histogram]),
  },
  {
    name: `${of}: rows of another filter`,
    unit: 'ms',
    budget: { atMost: 250 },
    run: async (stage) => {
      const page = await openTable(stage)
      let isFiltered = false
      const samples = await runs(() => {
        isFiltered = !isFiltered
        return clickUntilPainted(
          page,
          { ...facet, text: 'ERROR' },
          {
            ...firstRow,
            text: isFiltered ? 'broken' : 'answer',
          },
        )
      })
      await page.context().close()
      return samples
    },
  },
  {
    name: `${of}: frames while scrolling`,
    unit: 'frames/s',
    budget: { atLeast: 58 },
    run: async (stage) => {
      const page = await openTable(stage)
      const samples: number[] = []
      while (samples.length < 3)
        samples.push((await scrollList(page.getByRole('grid'), 3)).framesPerSecond)
      await page.context().close()
      return samples
    },
  },
  {
    name: 'stored until the row is seen in live mode',
    unit: 'ms',
    budget: { atMost: 1000 },
    run: async (stage) => {
      const { project, page } = await opened(stage)
      await page.getByRole('button', { name: 'Live', exact: true }).click()
      await page.getByRole('button', { name: 'Stream new data' }).click()
      let sent = 0
      const samples = await runs(async () => {
        const name = `live ${sent}`
        await sendSpans(project, [span(rows + sent++, Date.now(), name)])
        const stored = performance.now()
        await page.getByRole('grid').getByText(name, { exact: true }).waitFor()
        return performance.now() - stored
      })
      await page.context().close()
      return samples
    },
  },
]

const firstRow = { selector: '[role=grid] [data-index="0"]', text: '' }
const facet = { selector: 'section[aria-label="Level"] label:has(input)' }
const histogram = { selector: '[role=img][aria-label*="over time"]' }

async function fromHome(stage: Stage, shown: { selector: string }[]): Promise<number[]> {
  const { page, address } = await opened(stage)
  const samples = await runs(async () => {
    // A reloaded page has no rows in memory: they are requested.
    await page.goto(address.replace(/\/traces$/, ''), { waitUntil: 'networkidle' })
    return clickUntilPainted(
      page,
      { selector: 'nav[aria-label="Pages"] a[href$="/traces"]' },
      ...shown,
    )
  })
  await page.context().close()
  return samples
}

async function openTable(stage: Stage): Promise<Page> {
  const { page } = await opened(stage)
  await page.locator(facet.selector).first().waitFor()
  return page
}

async function opened(stage: Stage) {
  const project = await filled(stage)
  const page = await stage.newPage()
  const address = `${project.url}/project/${project.project}/traces`
  await page.goto(address)
  await page.locator(firstRow.selector).waitFor()
  return { project, page, address }
}

const projects = new WeakMap<Stage, Promise<Ready>>()

/** The project with all the rows, which is filled only once. */
function filled(stage: Stage): Promise<Ready> {
  const known = projects.get(stage)
  if (known) return known
  const made = fill(stage)
  projects.set(stage, made)
  return made
}

const perRequest = 2000
const perTrace = 10
const day = 86_400_000

async function fill({ server }: Stage): Promise<Ready> {
  const project = await newProject(server, 'Many rows')
  const start = Date.now() - day
  for (let from = 0; from < rows; from += perRequest) {
    const size = Math.min(perRequest, rows - from)
    const spans = Array.from({ length: size }, (_, index) => {
      const n = from + index
      return span(n, start + Math.floor((n / rows) * (day - 60_000)))
    })
    await sendSpans(project, spans)
  }
  return project
}

const hex = (n: number, length: number) => n.toString(16).padStart(length, '0')

/** One of the spans: every tenth is a root, and in every hundredth trace, except for the newest, the root failed. */
function span(n: number, at: number, name?: string) {
  const trace = Math.floor(n / perTrace)
  const isRoot = n % perTrace === 0 || name !== undefined
  const isBroken = isRoot && trace % 100 === 1
  return {
    traceId: hex(name === undefined ? trace + 1 : n + 1, 32),
    spanId: hex(n + 1, 16),
    ...(!isRoot && { parentSpanId: hex(trace * perTrace + 1, 16) }),
    name: name ?? (isBroken ? 'broken' : isRoot ? 'answer' : `step ${n % 7}`),
    startTimeUnixNano: `${at}000000`,
    endTimeUnixNano: `${at + 250 + (n % 1000)}000000`,
    ...(isBroken && { status: { code: 2, message: 'it broke' } }),
    attributes: attributesOf({
      'user.id': `user ${n % 500}`,
      'session.id': `session ${trace % 20_000}`,
      'langfuse.observation.input': `question ${n} about parcels that are late, and what to do`,
      ...(n % 3 === 1 && {
        'langfuse.observation.type': 'generation',
        'langfuse.observation.model.name': `model ${n % 4}`,
        'gen_ai.usage.input_tokens': 100 + (n % 900),
        'gen_ai.usage.output_tokens': 10 + (n % 90),
      }),
    }),
  }
}
