import { type ChildProcess, spawn } from 'node:child_process'
import { startFakeModel, type FakeModel } from '../fakeModel'
import { printedUntil, program, startServer } from '../server'
import {
  ask,
  expect,
  expectAccessible,
  open,
  type Ready,
  setUpServer,
  takePicture,
  test,
} from '../test'

const items = 200
const options = ['--allow-private-connections']

let server: Ready
let model: FakeModel
let second: ChildProcess | undefined
let datasetId: string

test.beforeAll(async () => {
  model = await startFakeModel()
  server = await setUpServer(await startServer(options))
  const base = `/api/ui/projects/${server.project}`
  await ask(server, 'PUT', `${base}/llm-connections`, {
    provider: 'fake',
    adapter: 'openai',
    secretKey: 'sk-fake-0123456789',
    baseURL: model.url,
    customModels: ['gpt-4.1-mini'],
    withDefaultModels: false,
  })
  const dataset = await ask<{ id: string }>(server, 'POST', `${base}/v2/datasets`, { name: 'sums' })
  datasetId = dataset.id
  for (let n = 0; n < items; n += 1)
    await ask(server, 'POST', `${base}/dataset-items`, {
      datasetName: 'sums',
      input: `What is ${n} plus ${n}?`,
      expectedOutput: n % 2 === 0 ? 'Much' : 'Little',
    })
})

test.afterAll(async () => {
  if (second) {
    const ended = new Promise((done) => second?.once('close', done))
    second.kill('SIGKILL')
    await ended
  }
  await server.stop()
  await model.stop()
})

test('an experiment of 200 items goes on after its server was killed, and each item has one result', async ({
  page,
}) => {
  test.setTimeout(120_000)
  model.answer(['Much'], { after: 50 })
  const address = `/project/${server.project}/datasets/${datasetId}/experiments`
  await open(page, server, address)
  await page.getByRole('button', { name: 'Run experiment' }).click()
  const dialog = page.getByRole('dialog', { name: 'Run experiment' })
  await dialog.getByRole('radio', { name: 'Messages' }).click()
  await dialog.getByLabel('Name', { exact: true }).fill('sums, twice')
  await dialog.getByRole('button', { name: 'Estimate the cost' }).click()
  await expect(dialog.getByText('200 items.')).toBeVisible()
  await takePicture(page, 'experiment-run')
  expect(model.asked).toHaveLength(0)
  await dialog.getByRole('button', { name: 'Run experiment' }).click()
  const runs = page.getByRole('region', { name: 'Run by the server' })
  await expect(runs.getByText('Running')).toBeVisible()
  await expectAccessible(page)
  await expect.poll(() => model.asked.length).toBeGreaterThan(60)

  process.kill(server.pid, 'SIGKILL')
  second = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--data', server.data, ...options])
  const printed = await printedUntil(second, /API reference: \S+\n/)
  const url = /Almanac is ready at (\S+)/.exec(printed)?.[1] ?? ''
  await open(page, { ...server, url }, address)
  await expect(runs.getByText('Done')).toBeVisible({ timeout: 60_000 })
  await expect(runs.getByText(/^200 calls, \$/)).toBeVisible()
  // The list below catches up without being reloaded.
  await expect(page.getByRole('row', { name: /sums, twice/ }).getByText('200')).toBeVisible()
  await takePicture(page, 'experiment-runs')

  const times = new Map<string, number>()
  for (const { messages } of model.asked) {
    const question = messages.at(-1)?.content ?? ''
    times.set(question, (times.get(question) ?? 0) + 1)
  }
  expect(times.size).toBe(items)
  // Only what was in progress when the server was killed is asked again.
  expect(model.asked.length - items).toBeLessThanOrEqual(4)

  await runs.getByRole('link', { name: 'sums, twice' }).click()
  await expect(page).toHaveURL(/experiments\/results\?baseline=/)
  await expect(page.getByText('What is 199 plus 199?')).toBeVisible()
  await expect(page.getByText('equals_expected').first()).toBeVisible()
})
