import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { startFakeModel, type FakeModel } from '../fakeModel'
import { startServer } from '../server'
import {
  ask,
  asProgram,
  expect,
  expectAccessible,
  open,
  type Ready,
  sendTrace,
  setUpServer,
  test,
} from '../test'

let server: Ready
let model: FakeModel

test.beforeAll(async () => {
  model = await startFakeModel()
  server = await setUpServer(await startServer(['--allow-private-connections']))
  await ask(server, 'PUT', `/api/ui/projects/${server.project}/llm-connections`, {
    provider: 'fake',
    adapter: 'openai',
    secretKey: 'sk-fake-0123456789',
    baseURL: model.url,
    customModels: ['gpt-4.1-mini'],
    withDefaultModels: false,
  })
})

test.afterAll(async () => {
  await server.stop()
  await model.stop()
})

const traceId = 'f1'.repeat(16)

/** A prompt, and a generation with it that failed. */
async function sendFailure() {
  const sent = await fetch(`${server.url}/api/public/v2/prompts`, {
    method: 'POST',
    headers: asProgram(server),
    body: JSON.stringify({
      name: 'greeting',
      type: 'chat',
      prompt: [
        { role: 'system', content: 'Answer in {{language}}.' },
        { role: 'user', content: '{{question}}' },
      ],
    }),
  })
  expect(sent.status).toBe(201)
  await sendTrace(server, {
    traceId,
    name: 'greet',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.model.name': 'gpt-4.1-mini',
      'langfuse.observation.model.parameters': '{"temperature":0.7}',
      'langfuse.observation.prompt.name': 'greeting',
      'langfuse.observation.prompt.version': 1,
      'langfuse.observation.input': JSON.stringify([
        { role: 'system', content: 'Answer in Klingon.' },
        { role: 'user', content: 'How are you?' },
      ]),
      'langfuse.observation.output': 'I cannot',
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'the answer is not in Klingon',
    },
  })
}

const promptText = (page: Page) => page.getByRole('textbox', { name: 'Message 1' })

test('from a failed generation to a fixed prompt in production: 15 clicks at most', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await sendFailure()
  model.answer(['<img src=x onerror=alert(1)>', ' jIpIv'])
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  await open(page, server, `/project/${server.project}/traces/${traceId}`)
  await click(page.getByRole('treeitem', { name: /gpt-4.1-mini/ }))
  await click(page.getByRole('link', { name: 'Open in playground' }))
  await expect(page.getByText('greeting v1')).toBeVisible()
  // The template, with the values that the variables had.
  await expect(promptText(page)).toContainText('Answer in {{language}}.')
  await expect(page.getByRole('textbox', { name: 'language' })).toContainText('Klingon')
  await expect(page.getByText('the answer is not in Klingon')).toBeVisible()
  await click(promptText(page))
  await page.keyboard.press('End')
  await page.keyboard.type(' Always.')
  await click(page.getByRole('button', { name: 'Run', exact: true }))
  await expect(page.getByText('<img src=x onerror=alert(1)> jIpIv')).toBeVisible()
  expect(model.asked.at(-1)?.messages[0]?.content).toBe('Answer in Klingon. Always.')
  await expect(page.getByText(/17 tokens/)).toBeVisible()
  await click(page.getByRole('button', { name: 'Compare with the original' }))
  await expect(page.getByRole('region', { name: /Difference/ })).toContainText('I cannot')
  await click(page.getByRole('button', { name: 'Save as prompt' }))
  await click(page.getByText('Label it production'))
  await click(page.getByRole('button', { name: 'Save version' }))
  await expect(page.getByText('Saved as version 2 of greeting')).toBeVisible()
  expect(clicks).toBeLessThanOrEqual(15)
  test.info().annotations.push({ type: 'took', description: `${clicks} clicks` })

  const served = await fetch(`${server.url}/api/public/v2/prompts/greeting`, {
    headers: asProgram(server),
  })
  const prompt = (await served.json()) as { version: number; prompt: unknown; config: object }
  expect(prompt.version).toBe(2)
  expect(prompt.prompt).toContainEqual({
    role: 'system',
    content: 'Answer in {{language}}. Always.',
  })
  expect(prompt.config).toEqual({ model: 'gpt-4.1-mini', provider: 'fake', temperature: 0.7 })

  // A reload keeps what was written.
  await page.reload()
  await expect(promptText(page)).toContainText('Always.')
  await expectAccessible(page)
})

test('closing the tab ends the call of the provider', async ({ context }) => {
  const page = await context.newPage()
  model.answer(['Once'], { hangs: true })
  await open(page, server, `/project/${server.project}/playground?prompt=greeting&version=1`)
  await page.getByRole('textbox', { name: 'language' }).fill('Latin')
  await page.getByRole('textbox', { name: 'question' }).fill('Who?')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('Once')).toBeVisible()
  const took = Date.now() - model.sentAt
  test.info().annotations.push({ type: 'took', description: `first token seen after ${took} ms` })
  const before = model.closed
  await page.close()
  await expect.poll(() => model.closed).toBe(before + 1)
})

test('as many streams as a person may have', async () => {
  model.answer(['x'.repeat(1000)], { hangs: true })
  const memory = () => {
    const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }
  const before = memory()
  const stop = new AbortController()
  const begun = model.asked.length
  const one = {
    connection: 'fake',
    model: 'gpt-4.1-mini',
    messages: [{ role: 'user', content: 'y'.repeat(10_000) }],
  }
  // A person has 25 at most, and a connection answers 16 at a time: the others wait for it.
  const runs = Array.from({ length: 25 }, () =>
    fetch(`${server.url}/api/ui/projects/${server.project}/completions`, {
      method: 'POST',
      signal: stop.signal,
      headers: {
        Cookie: server.cookies.map(({ name, value }) => `${name}=${value}`).join('; '),
        Origin: server.url,
        'X-Almanac-CSRF': '1',
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(one),
    }),
  )
  const answers = await Promise.all(runs)
  expect(answers.every(({ status }) => status === 200)).toBe(true)
  await expect.poll(() => model.asked.length - begun).toBe(16)
  const took = memory() - before
  test.info().annotations.push({ type: 'took', description: `25 streams: ${took.toFixed(1)} MB` })
  const closed = model.closed
  stop.abort()
  await expect.poll(() => model.closed).toBeGreaterThanOrEqual(closed + 16)
})
