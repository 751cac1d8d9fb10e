import { test as base } from '@playwright/test'
import { newProject, type Ready, sendDemo, sendTrace, setUpServer } from './client'
import { type Examples, fill } from './examples'
import { startServer } from './server'

type WorkerFixtures = {
  /** When the server is started, if not now: pictures that are compared show the same times. */
  at: number | undefined
  /** A server with an owner, a project and a trace. */
  server: Ready
  /** An organization on it that contains something of every kind. */
  examples: Examples
  /** A project on it with the demo traces. */
  demo: Ready
}

/** Tests with a server per worker, in any browser. */
export const withServers = base.extend<object, WorkerFixtures>({
  at: [undefined, { scope: 'worker', option: true }],
  server: [
    async ({ at }, use) => {
      const started = await startServer([], at)
      const server = await setUpServer(started)
      await sendTrace(server, { traceId: 'a1'.repeat(16), name: 'answer a question' })
      await use(server)
      await started.stop()
    },
    { scope: 'worker' },
  ],
  examples: [
    async ({ server }, use) => use(await fill(server, (words) => words)),
    { scope: 'worker' },
  ],
  demo: [
    async ({ server }, use) => {
      const demo = await newProject(server, 'Demonstration')
      sendDemo(demo)
      await use(demo)
    },
    { scope: 'worker', timeout: 60_000 },
  ],
})
