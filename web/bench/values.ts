import { sendTrace } from '../e2e/client'
import { loadUntilPainted } from './painted'
import { runs } from './runs'
import type { Measurement, Stage } from './measurement'

const traceId = 'c1'.repeat(16)
const spanId = traceId.slice(0, 16)

/** What people wait for when they read a long value. */
export const values: Measurement[] = [
  {
    name: 'value of 16 MB: its beginning painted, page loaded anew',
    unit: 'ms',
    run: async (stage) => {
      await sent(stage)
      const page = await stage.newPage()
      const samples = await runs(() => loadUntilPainted(page, addressOf(stage), beginning))
      await page.context().close()
      return samples
    },
  },
  {
    name: 'value of 16 MB: all loaded and found in',
    unit: 'ms',
    run: async (stage) => {
      await sent(stage)
      const page = await stage.newPage()
      await page.goto(addressOf(stage))
      const output = page.getByRole('region', { name: 'Output', exact: true })
      await output.getByRole('button', { name: 'Load the rest' }).click()
      await output.getByRole('tree', { name: 'Output' }).waitFor()
      let n = 0
      const samples = await runs(async () => {
        const word = `needle ${n++ % 10}`
        const from = performance.now()
        await output.getByRole('searchbox').fill(word)
        await output.getByText('1 of 1', { exact: true }).waitFor()
        const took = performance.now() - from
        await output.getByRole('searchbox').fill('')
        return took
      })
      await page.context().close()
      return samples
    },
  },
]

const beginning = { selector: 'section[aria-label="Output"]', text: 'the first words' }

const addressOf = ({ server, project }: Stage) =>
  `${server.url}/project/${project}/traces/${traceId}?observation=${spanId}`

const stages = new WeakMap<Stage, Promise<void>>()

function sent(stage: Stage): Promise<void> {
  const known = stages.get(stage) ?? send(stage)
  stages.set(stage, known)
  return known
}

async function send({ server }: Stage) {
  const note = 'what was found there, and what to do about it, at some length. '.repeat(8)
  const steps = Array.from({ length: 29_000 }, (_, step) => ({
    step,
    note: step % 2901 === 0 ? `needle ${step / 2901}` : note,
  }))
  const output = JSON.stringify({ beginning: 'the first words', steps })
  await sendTrace(server, {
    traceId,
    name: 'a long answer',
    attributes: { 'langfuse.observation.output': output },
  })
}
