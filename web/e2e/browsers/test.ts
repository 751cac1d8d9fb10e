import { expect } from '@playwright/test'
import { owner } from '../client'
import { withServers } from '../withServers'
import { startFirefox } from './firefox'
import { Visitor } from './visitor'
import { startWebKit } from './webkit'

export { expect }

const engines = { firefox: startFirefox, webkit: startWebKit }

export type Options = { engine: keyof typeof engines }

/** Signs in on the open page. */
export async function signIn(visitor: Visitor) {
  await visitor.fill('textbox', 'Email', owner.email)
  await visitor.click('password', 'Password')
  await visitor.type(owner.password)
  await visitor.click('button', 'Sign in')
}

type WorkerFixtures = Options & {
  /** The owner of the server, signed in. */
  visitor: Visitor
}

/** Requests to other hosts, violations of the content security policy and uncaught errors fail every test. */
export const test = withServers.extend<{ problems: void }, WorkerFixtures>({
  engine: ['firefox', { scope: 'worker', option: true }],
  visitor: [
    async ({ server, engine: name }, provide) => {
      const engine = await engines[name]()
      const visitor = new Visitor(engine, server.url)
      try {
        await visitor.open('/auth/sign-in')
        await signIn(visitor)
        await visitor.isAt('/')
        await provide(visitor)
        expect(engine.takeProblems()).toEqual([]) // said late
      } finally {
        await engine.close()
      }
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  problems: [
    async ({ visitor }, use) => {
      await use()
      expect(visitor.engine.takeProblems()).toEqual([])
    },
    { auto: true },
  ],
})
