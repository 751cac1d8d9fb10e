import { cpus, loadavg } from 'node:os'
import { expect, test as base } from '@playwright/test'
import { startServer } from '../e2e/server'
import { sendTrace, setUpServer } from '../e2e/client'
import { firstVisit } from './firstVisit'
import { pages } from './pages'
import { sizes } from './sizes'
import { spread, type Spread } from './spread'
import { table } from './table'
import { traces } from './traces'
import { values } from './values'
import type { Measurement, Stage } from './measurement'

/** To add a budget, add an entry to one of these lists. */
const measurements: Measurement[] = [
  ...sizes,
  ...firstVisit,
  ...pages,
  ...traces,
  ...values,
  ...table,
]

const test = base.extend<object, { stage: Stage }>({
  stage: [
    async ({ browser }, use) => {
      const server = await setUpServer(await startServer())
      const { project } = server
      await sendTrace(server, { traceId: 'a1'.repeat(16), name: 'answer a question' })
      const storageState = { cookies: server.cookies, origins: [] }
      const newContext = () => browser.newContext({ storageState })
      const newPage = async () => {
        const page = await (await newContext()).newPage()
        await page.goto(`${server.url}/project/${project}`, { waitUntil: 'networkidle' })
        return page
      }
      await use({ browser, server, project, newContext, newPage })
      await server.stop()
    },
    { scope: 'worker' },
  ],
})

const widths = [72, 12, 9, 9, 17, 4, 6] as const
const row = (cells: readonly string[]) =>
  cells
    .map((cell, index) =>
      index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index] ?? 0),
    )
    .join('')

test.beforeAll(() => {
  print(
    `${cpus().length} processors; "load" is how many processes wanted one, over the last minute`,
  )
  print(row(['', 'budget', 'p50', 'p95', 'least–most', 'n', 'load']))
})

for (const measurement of measurements) {
  test(measurement.name, async ({ stage }) => {
    const found = spread(await measurement.run(stage))
    const isOver = !isWithin(measurement, found)
    print(describe(measurement, found) + (isOver ? '  over' : ''))
    expect(found.count).toBeGreaterThan(0)
    expect(measurement.isEnforced === true && isOver).toBe(false)
  })
}

function isWithin({ budget }: Measurement, { p50, p95, least }: Spread): boolean {
  if (budget === undefined) return true
  if ('medianAtMost' in budget) return p50 <= budget.medianAtMost
  return 'atMost' in budget ? p95 <= budget.atMost : least >= budget.atLeast
}

function describe({ name, unit, budget }: Measurement, found: Spread): string {
  const limit =
    budget === undefined
      ? ''
      : 'medianAtMost' in budget
        ? `p50 ≤ ${budget.medianAtMost}`
        : 'atMost' in budget
          ? `≤ ${budget.atMost}`
          : `≥ ${budget.atLeast}`
  return row([
    `${name}, ${unit}`,
    limit,
    number(found.p50),
    number(found.p95),
    `${number(found.least)}–${number(found.most)}`,
    String(found.count),
    (loadavg()[0] ?? 0).toFixed(1),
  ])
}

function number(value: number): string {
  return value.toFixed(value < 100 && !Number.isInteger(value) ? 1 : 0)
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
