import { readdirSync, readFileSync, statSync } from 'node:fs'
import { program, startServer } from '../e2e/server'
import { dist, initialFiles } from '../scripts/initial.mjs'
import { runs } from './runs'
import type { Measurement, Stage } from './measurement'

const assets = new URL('assets/', dist)
const bytes = (files: URL[]) => files.reduce((sum, file) => sum + statSync(file).size, 0)

/** Download sizes and memory. */
export const sizes: Measurement[] = [
  {
    name: 'first load: JS and CSS, gzip',
    unit: 'kB',
    budget: { atMost: 250 },
    isEnforced: true,
    run: async () => [bytes(initialFiles().map((file) => new URL(`${file}.gz`, dist))) / 1000],
  },
  {
    name: 'everything: JS and CSS, gzip',
    unit: 'kB',
    budget: { atMost: 1200 },
    isEnforced: true,
    run: async () => {
      const packed = readdirSync(assets).filter((name) => /\.(js|css)\.gz$/.test(name))
      return [bytes(packed.map((name) => new URL(name, assets))) / 1000]
    },
  },
  {
    name: 'program',
    unit: 'MB',
    budget: { atMost: 60 },
    isEnforced: true,
    run: async () => [statSync(program).size / 2 ** 20],
  },
  {
    name: 'server, resident, a browser signed in',
    unit: 'MB',
    budget: { atMost: 60 },
    isEnforced: true,
    run: async (stage) => {
      await idle(stage, 65_000) // memory used for hashing the password is returned once a minute
      const status = readFileSync(`/proc/${stage.server.pid}/status`, 'utf8')
      return [Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024]
    },
  },
  {
    name: 'server, heap in use',
    unit: 'MB',
    run: async (stage) => {
      await idle(stage)
      const metrics = await (await fetch(`${stage.server.url}/metrics`)).text()
      return [Number(/^go_memstats_heap_inuse_bytes (\S+)/m.exec(metrics)?.[1]) / 2 ** 20]
    },
  },
  {
    name: 'start on an empty directory until ready',
    unit: 'ms',
    budget: { atMost: 300 },
    run: () =>
      runs(async () => {
        const from = performance.now()
        const server = await startServer()
        const took = performance.now() - from
        await server.stop()
        return took
      }),
  },
]

/** Leaves the home page of the project open for a while. */
async function idle({ newPage, project, server }: Stage, milliseconds = 2000) {
  const page = await newPage()
  await page.goto(`${server.url}/project/${project}`)
  await page.waitForTimeout(milliseconds)
  await page.context().close()
}
