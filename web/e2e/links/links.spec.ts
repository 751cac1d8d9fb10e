import type { Page } from '@playwright/test'
import { ask, expect, go, open, type Ready, sendTrace, signIn, test } from '../test'

/** Ids as programs create them, and as they should not. */
const ids = {
  'an ordinary id': 'run-42',
  'a slash': 'a/b',
  'a hash': 'a#b',
  'a percent sign': '100%',
  'an encoded slash': 'a%2Fb',
  spaces: 'two words, three',
  'a space at the end': 'run 43 ',
  'a question mark': 'why?yes=no&b',
  quotes: `it's "so" \`now\``,
  'other scripts': '当前-müller-🙂',
  'right to left': 'שלום/عالم',
  '200 characters': 'long-'.repeat(40),
} as const

type Stored = { dataset: string; trace: string }

/** What has been stored under each id. */
const stored = new Map<string, Stored>()

test.beforeAll(async ({ server }) => {
  for (const [index, id] of Object.values(ids).entries())
    stored.set(id, await store(server, id, index))
})

async function store(server: Ready, id: string, index: number): Promise<Stored> {
  const base = `/api/ui/projects/${server.project}`
  const trace = String(index + 10).repeat(16)
  await sendTrace(server, {
    traceId: trace,
    name: id,
    attributes: { 'user.id': id, 'session.id': id },
  })
  await ask(server, 'POST', `${base}/v2/prompts`, { name: `p-${id}`, type: 'text', prompt: id })
  const dataset = await ask<{ id: string }>(server, 'POST', `${base}/v2/datasets`, {
    name: `d-${id}`,
  })
  await ask(server, 'POST', `${base}/dataset-items`, { datasetName: `d-${id}`, id, input: id })
  return { dataset: dataset.id, trace }
}

const enc = encodeURIComponent

/** The server sends the application at any address, and the application finds the page. */
async function follow(page: Page, server: Ready, path: string) {
  const answer = await fetch(server.url + path)
  expect(answer.status, path).toBe(200)
  expect(await answer.text(), path).toContain('<div id="root">')
  await go(page, path)
}

/** The page tells what the address refers to, and has found it. */
async function expectNamed(page: Page, what: string, id: string) {
  await expect(page.getByRole('heading', { level: 1, name: what, exact: true })).toBeVisible()
  await expect(page.locator('main code').first()).toHaveText(id, { useInnerText: false })
}

async function expectData(page: Page, text: string) {
  await expect(page.locator('main pre')).toContainText(JSON.stringify(text))
}

async function expectPrompt(page: Page, name: string) {
  await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Version 1' })).toBeVisible()
}

for (const [kind, id] of Object.entries(ids)) {
  test(`an id with ${kind} opens its pages`, async ({ page, server }) => {
    const base = `/project/${server.project}`
    const { dataset, trace } = stored.get(id) ?? { dataset: '', trace: '' }
    const pages: [path: string, what: string, data: boolean, rail: string][] = [
      [`sessions/${enc(id)}`, 'Session', false, 'Sessions'],
      [`users/${enc(id)}`, 'User', false, 'Users'],
      [`alerts/${enc(id)}`, 'Alert', false, ''],
    ]
    await open(page, server, `${base}/sessions/${enc(id)}`)
    await expectNamed(page, 'Session', id)
    for (const [path, what, data, rail] of pages) {
      await follow(page, server, `${base}/${path}`)
      await expectNamed(page, what, id)
      if (data) await expectData(page, id)
      if (what === 'Session') await expect(page.getByRole('article')).toHaveCount(1)
      if (what === 'User')
        await expect(page.getByRole('grid', { name: 'Traces' }).getByRole('row')).toHaveCount(2)
      if (rail !== '')
        await expect(
          page.getByRole('navigation').getByRole('link', { name: new RegExp(`^${rail}\\b`) }),
        ).toHaveAttribute('aria-current', 'page')
    }
    // An item is open on the page of its dataset.
    await follow(page, server, `${base}/datasets/${dataset}/items/${enc(id)}`)
    const item = page.getByRole('dialog', { name: 'Item' })
    await expect(item.getByRole('textbox', { name: 'Input' })).toContainText(JSON.stringify(id))
    // A prompt, with what Langfuse appends to its URL.
    await follow(page, server, `${base}/prompts/${enc(`p-${id}`)}?version=1#comment-1`)
    const prompt = `p-${id.trim()}` // the server stores prompt names trimmed
    await expectPrompt(page, prompt)
    await expect(page.getByText(id.trim(), { exact: true }).last()).toBeVisible()
    const address = page.url()
    expect(new URL(address).hash).toBe('#comment-1')

    // To another page and back, then a reload.
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    await expect(page.getByRole('grid', { name: 'Latest traces' })).toBeVisible()
    await page.goBack()
    await expectPrompt(page, prompt)
    expect(page.url()).toBe(address)
    await page.reload()
    await expectPrompt(page, prompt)
    expect(page.url()).toBe(address)

    // Addresses that lead elsewhere keep the id.
    await follow(page, server, `${base}/datasets/${enc(`d-${id}`)}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`d-${id}`)
    await expect(page.getByRole('grid', { name: 'Items' }).getByRole('row')).toHaveCount(2)
    await follow(page, server, `${base}/datasets/${dataset}/runs/${enc(id)}`)
    await expect(page.getByText('Couldn’t compare the experiments')).toBeVisible()
    await expect(page.locator('main p').filter({ hasText: 'not found' })).toHaveText(
      `Experiment ${id} not found`,
      { useInnerText: false },
    )
    expect(new URL(page.url()).searchParams.get('baseline')).toBe(id)
    await follow(page, server, `${base}/monitors/${enc(id)}`)
    await expectNamed(page, 'Alert', id)
    // Wrong hints do not hide a trace.
    await follow(
      page,
      server,
      `${base}/traces/${trace}?observation=${enc(id)}&timestamp=1999-01-01T00:00:00Z`,
    )
    await expectNamed(page, id, trace)
    await expect(page.getByText('This trace has no such observation')).toBeVisible()
    await follow(page, server, `/trace/${enc(id)}`)
    await expect(page.getByText('None of your projects has this trace')).toBeVisible()
    await expect(page.locator('main code')).toHaveText(id, { useInnerText: false })
  })
}

test('every other address that is printed somewhere leads to its page', async ({
  page,
  server,
}) => {
  // The heading of a trace is its name.
  const name = ids['an ordinary id']
  const trace = stored.get(name)?.trace ?? ''
  const base = `/project/${server.project}`
  const addresses: [path: string, heading: string, end: string][] = [
    [`${base}/traces/${trace}`, name, `${base}/traces/${trace}`],
    [`${base}/traces/${trace}?view=timeline&traceTab=log&pref=x`, name, 'pref=x'],
    [`${base}/traces?peek=${trace}`, 'Traces', `peek=${trace}`],
    [`${base}/traces?viewId=v1`, 'Traces', 'viewId=v1'],
    [`${base}/traces?filter=name%3Bstring%3B%3B%3D%3Ba%2520b`, 'Traces', '%3Ba%2520b'],
    [`${base}/observations?viewId=v1`, 'Observations', 'viewId=v1'],
    [`${base}/sessions?viewId=v1`, 'Sessions', 'viewId=v1'],
    [`${base}/users?viewId=v1`, 'Users', 'viewId=v1'],
    [`${base}/scores?viewId=v1`, 'Scores', 'viewId=v1'],
    [`${base}/experiments/results?baseline=r1`, 'Experiment results', 'baseline=r1'],
    [`${base}/datasets/d/compare?runs=a&runs=b`, 'Experiment results', '?baseline=a&c=b'],
    [`${base}/settings/exports`, 'Exports', '/settings/exports'],
    [`${base}/monitors`, 'Alerts', `${base}/alerts`],
    [`${base}/models`, 'Models and prices', `${base}/settings/models`],
    [`/trace/${trace}`, name, `${base}/traces/${trace}`],
    [`/trace/${trace}?uiFind=x`, name, `${base}/traces/${trace}`],
    [`/public/traces/${trace}`, name, `${base}/traces/${trace}`],
    [`/project/~/sessions/a%2Fb?x=1#here`, 'Session', `${base}/sessions/a%2Fb?x=1#here`],
    [`/project/~/traces`, 'Traces', `${base}/traces`],
  ]
  await open(page, server, base)
  await expect(page.getByRole('grid', { name: 'Latest traces' })).toBeVisible()
  for (const [path, heading, end] of addresses) {
    await follow(page, server, path)
    await expect(
      page.getByRole('heading', { level: 1, name: heading, exact: true }),
      path,
    ).toBeVisible()
    await expect.poll(() => page.url().slice(-end.length), { message: path }).toBe(end)
  }
})

test('a trace that several projects have lets one choose', async ({ page, server }) => {
  const project = await ask<{ id: string }>(
    server,
    'POST',
    `/api/ui/organizations/${server.organization}/projects`,
    { name: 'second' },
  )
  const key = await ask<{ publicKey: string; secretKey: string }>(
    server,
    'POST',
    `/api/ui/projects/${project.id}/apiKeys`,
    {},
  )
  const traceId = '5e'.repeat(16)
  for (const to of [server, { url: server.url, ...key }])
    await sendTrace(to, { traceId, name: 'twice' })
  await open(page, server, `/trace/${traceId}`)
  await page.getByRole('link', { name: /second/ }).click()
  await page.waitForURL(`${server.url}/project/${project.id}/traces/${traceId}`)
  await expectNamed(page, 'twice', traceId)
})

test('who is signed out comes back to the exact address', async ({ page, server }) => {
  const base = `/project/${server.project}`
  for (const path of [
    `${base}/sessions/${enc(`a/b#c%2F?d 'e' "f" 当 שלום`)}?x=%2F%20y&x=2&q=a%2Bb#comment-%C3%BC%20%23`,
    `${base}/prompts/p?version=2#comment-1`,
    `/project/~/users/${enc('ü@example.com')}#top`,
    `/organization/${server.organization}/settings/audit-logs?action=create`,
  ]) {
    await page.context().clearCookies()
    await page.goto(server.url + path)
    await page.waitForURL(/\/auth\/sign-in/)
    await signIn(page)
    const there = new URL(server.url + path.replace('/project/~/', `${base}/`)).href
    await expect.poll(() => page.url()).toBe(there)
    await expect(page.locator('h1').first()).toBeVisible()
  }
})
