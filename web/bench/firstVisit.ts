import { newProject, type Ready, sendDemo } from '../e2e/client'
import type { Measurement, Stage } from './measurement'
import { loadUntilPainted } from './painted'
import { runs } from './runs'
import { startSlowProxy } from './slowProxy'

const roundTrip = 50

/** What somebody waits for who opens the traces of a project for the first time. */
export const firstVisit: Measurement[] = [
  {
    name: 'traces, empty cache: script files before the first rows',
    unit: 'files',
    budget: { atMost: 12 },
    isEnforced: true,
    run: async (stage) => [(await visit(stage, stage.server.url)).scripts],
  },
  {
    name: 'traces, empty cache: first rows painted',
    unit: 'ms',
    budget: { medianAtMost: 500 },
    run: (stage) => runs(async () => (await visit(stage, stage.server.url)).painted),
  },
  {
    name: `traces, empty cache, ${roundTrip} ms round trips, HTTP/1.1: first rows painted`,
    unit: 'ms',
    budget: { medianAtMost: 1200 },
    run: async (stage) => {
      const proxy = await startSlowProxy(stage.server.url, roundTrip)
      const samples = await runs(async () => (await visit(stage, proxy.url)).painted)
      await proxy.stop()
      return samples
    },
  },
]

const firstRow = { selector: '[role=grid] [data-index="0"]' }

/** Opens the traces in a browser that has never seen them. */
async function visit(stage: Stage, url: string): Promise<{ painted: number; scripts: number }> {
  const { project } = await filled(stage)
  const context = await stage.newContext()
  const page = await context.newPage()
  const painted = await loadUntilPainted(page, `${url}/project/${project}/traces`, firstRow)
  const scripts = await page.evaluate(
    (until) =>
      performance
        .getEntriesByType('resource')
        .filter(({ name, startTime }) => name.endsWith('.js') && startTime < until).length,
    painted,
  )
  await context.close()
  return { painted, scripts }
}

const projects = new WeakMap<Stage, Promise<Ready>>()

/** A project with a screenful of traces, which is filled only once. */
function filled(stage: Stage): Promise<Ready> {
  const known = projects.get(stage) ?? fill(stage)
  projects.set(stage, known)
  return known
}

async function fill({ server }: Stage): Promise<Ready> {
  const project = await newProject(server, 'First visit')
  sendDemo(project)
  return project
}
