import { sendLargeTrace } from '../e2e/perf/largeTrace'
import type { Measurement, Stage } from './measurement'
import { runs } from './runs'

const sizes = [
  { count: 30_000, budget: 500 },
  { count: 100_000, budget: 3000 },
]

/** What people wait for who open large traces. */
export const traces: Measurement[] = sizes.map(({ count, budget }) => ({
  name: `trace of ${count.toLocaleString('en-US')} observations: first row painted`,
  unit: 'ms',
  budget: { atMost: budget },
  run: (stage) => firstRows(stage, count),
}))

async function firstRows({ newPage, server, project }: Stage, count: number): Promise<number[]> {
  const traceId = count.toString(16).padStart(32, '0')
  await sendLargeTrace(server, traceId, count)
  const page = await newPage()
  const samples = await runs(async () => {
    await page.goto(`${server.url}/project/${project}/traces/${traceId}`)
    await page.locator('[data-trace-tree] [data-row="1"]').waitFor()
    return page.evaluate(
      () =>
        new Promise<number>((done) => {
          requestAnimationFrame(() => done(performance.now()))
        }),
    )
  })
  await page.context().close()
  return samples
}
