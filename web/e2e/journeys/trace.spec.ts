import type { Page } from '@playwright/test'
import {
  ask,
  attributesOf,
  expect,
  go,
  open,
  type Ready,
  sendSpans,
  takePicture,
  test,
} from '../test'

type Sent = {
  id: string
  parent?: string
  name: string
  /** Milliseconds after the beginning. */
  at?: number
  lasts?: number
  attributes?: Record<string, string>
  error?: string
}

/** Sends the spans of a trace with the project's API key, as an application does. */
async function send(server: Ready, traceId: string, spans: readonly Sent[], from: number) {
  const nanoseconds = (ms: number) => `${from + ms}000000`
  await sendSpans(
    server,
    spans.map(({ id, parent, name, at = 0, lasts = 100, attributes = {}, error }) => ({
      traceId,
      spanId: id,
      parentSpanId: parent,
      name,
      startTimeUnixNano: nanoseconds(at),
      endTimeUnixNano: nanoseconds(at + lasts),
      attributes: attributesOf(attributes),
      status: error === undefined ? {} : { code: 2, message: error },
    })),
  )
}

/** The tree of the trace; JSON values are trees, too. */
const observations = (page: Page) => page.getByRole('tree', { name: 'Observations' })

const said = (text: string) => ({ 'langfuse.observation.output': text })
const spanId = (n: number) => n.toString(16).padStart(16, '0')

/** A demo trace in which a tool failed. */
async function failedTrace(server: Ready): Promise<string> {
  const { data } = await ask<{ data: { traceId: string }[] }>(
    server,
    'GET',
    `/api/ui/projects/${server.project}/v2/observations?level=ERROR&type=TOOL&limit=1`,
  )
  const [failed] = data
  if (!failed) throw new Error('no tool fails in the demonstration')
  return failed.traceId
}

test('the tool call that failed is found by keyboard, and says why', async ({ page, demo }) => {
  test.setTimeout(180_000)
  const traceId = await failedTrace(demo)
  const address = `/project/${demo.project}/traces/${traceId}`
  await open(page, demo, address)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('support-chat')
  await expect(observations(page).getByRole('treeitem').first()).toBeVisible()
  await page.keyboard.press('e')
  await expect(page).toHaveURL(/observation=/)
  await expect(page.getByRole('alert').getByText('Error', { exact: true })).toBeVisible()
  await expect(page.getByText(/no answer within 4 s/)).toBeVisible()
  // The state is in the URL.
  await page.reload()
  await expect(page.getByText(/no answer within 4 s/)).toBeVisible()
  await takePicture(page, 'trace-tree')

  await open(page, demo, `${address}?view=timeline&traceTab=transcript`)
  await expect(page.getByRole('list', { name: 'Transcript' })).toBeVisible()
  // Immediately, while the page is new: the very first key must not count as one after G.
  await page.keyboard.press('l')
  const path = page.getByRole('button', { name: 'Critical path (L)' })
  await expect(path).toHaveAttribute('aria-pressed', 'true')
  await takePicture(page, 'trace-timeline')

  await go(page, `${address}?traceTab=log`)
  await expect(page.getByRole('region', { name: 'Log' }).getByRole('button').first()).toBeVisible()
  await takePicture(page, 'trace-log')

  await go(page, `${address}?traceTab=statistics`)
  await expect(page.getByRole('table', { name: 'Statistics by name' })).toBeVisible()
  await takePicture(page, 'trace-statistics')

  await go(page, `${address}?traceTab=graph`)
  const steps = page.getByRole('list', { name: 'Observations' }).getByRole('button')
  await expect(steps.filter({ hasText: 'support-agent' })).toBeVisible()
  // By keyboard: a step selects its runs in the tree, one after the other.
  await steps.last().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/observation=/)
  await page.keyboard.press('0')
  await takePicture(page, 'trace-graph')
})

test('what is looked for in a trace is counted in its tree', async ({ page, server }) => {
  const traceId = 'f1'.repeat(16)
  await send(
    server,
    traceId,
    [
      { id: spanId(1), name: 'agent' },
      {
        id: spanId(2),
        parent: spanId(1),
        name: 'search',
        at: 10,
        attributes: { 'langfuse.observation.input': 'the 当 needle in the haystack' },
      },
    ],
    Date.now() - 3_600_000,
  )
  await open(page, server, `/project/${server.project}/traces/${traceId}`)
  await expect(observations(page).getByRole('treeitem').nth(2)).toBeVisible()
  await page.keyboard.press('Control+f')
  await page.keyboard.type('当 needle')
  await expect(
    page.getByRole('status').filter({ hasText: '1 match in 1 observation' }),
  ).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`observation=${spanId(2)}`))
  await expect(observations(page).getByRole('treeitem', { selected: true })).toContainText('search')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('search')).toHaveCount(0)
})

test('a person scores, comments and publishes', async ({ page, server, browser }) => {
  const traceId = 'f2'.repeat(16)
  const input = JSON.stringify([{ role: 'user', content: 'where is my parcel, please?' }])
  await send(
    server,
    traceId,
    [{ id: spanId(3), name: 'answer', attributes: { 'langfuse.observation.input': input } }],
    Date.now() - 3_600_000,
  )
  await ask(server, 'POST', `/api/ui/projects/${server.project}/score-configs`, {
    name: 'helpful',
    dataType: 'BOOLEAN',
  })
  await open(page, server, `/project/${server.project}/traces/${traceId}?traceTab=scores`)
  await page.getByRole('button', { name: 'Add score' }).click()
  const dialog = page.getByRole('dialog')
  const scoring = page.getByRole('complementary', { name: 'Scoring' })
  await scoring.getByLabel('Comment on helpful').fill('as asked')
  await page.keyboard.press('Escape')
  await page.keyboard.press('1')
  const listed = page.getByRole('listitem').filter({ hasText: 'helpful' })
  await expect(listed).toContainText('Yes')
  await expect(listed).toContainText('as asked')
  await page.keyboard.press('s')
  await expect(scoring).toHaveCount(0)
  await page.getByRole('button', { name: 'Delete helpful' }).click()
  await page.getByRole('button', { name: 'Delete score' }).click()
  await expect(page.getByText('No scores yet.')).toBeVisible()

  await page.getByRole('tab', { name: /Comments/ }).click()
  await page.getByRole('textbox', { name: 'Comment' }).pressSequentially('**look** @ad')
  await expect(page.getByRole('option', { name: 'Ada Lovelace', selected: true })).toBeVisible()
  await page.keyboard.press('Enter') // mentions her
  await page.keyboard.press('Control+Enter')
  const comment = page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
  await expect(comment).toContainText('You')
  await expect(comment).toContainText('look @Ada Lovelace')
  await comment.getByRole('button', { name: 'Edit comment' }).click()
  await comment.getByRole('textbox').fill('see @Ada Lovelace')
  await page.keyboard.press('Control+Enter')
  await expect(comment.getByRole('textbox')).toHaveCount(0) // the field has the new text before it is stored
  await expect(comment).toContainText('see @Ada Lovelace')
  const { data } = await ask<{ data: { content: string }[] }>(
    server,
    'GET',
    `/api/ui/projects/${server.project}/comments?objectType=TRACE&objectId=${traceId}`,
  )
  expect(data[0]?.content).toMatch(/^see @\[Ada Lovelace\]\(user:[^)]+\)$/)
  await comment.getByRole('button', { name: 'Delete comment' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete comment' }).click()
  await expect(page.getByText('No comments yet.')).toBeVisible()

  // On a part of a text, which is marked from then on.
  await page.getByRole('tab', { name: 'Preview' }).click()
  await selectText(page, 'my parcel')
  await page.getByRole('button', { name: 'Comment on selection' }).click()
  await dialog.getByRole('textbox', { name: 'Comment' }).fill('which one?')
  await page.keyboard.press('Control+Enter')
  await expect(dialog).toHaveCount(0)
  const marker = page.getByRole('list', { name: 'Comments on the input' }).getByRole('button')
  await expect(marker).toContainText('my parcel')
  const marked = () => page.evaluate(() => CSS.highlights.get('comment')?.size ?? 0)
  await expect.poll(marked).toBe(1)
  await takePicture(page, 'trace-marked')
  await marker.click()
  await expect(comment).toContainText('my parcel')

  // Visitors are asked to sign in until the trace is published, and afterwards for everything else.
  const address = `${server.url}/project/${server.project}/traces/${traceId}`
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(address)
  await stranger.waitForURL(/\/auth\/sign-in/)
  await page.getByRole('button', { name: 'Bookmark' }).click()
  await expect(page.getByRole('button', { name: 'Remove bookmark' })).toBeVisible()
  await page.getByRole('button', { name: 'Edit tags' }).click()
  await dialog.getByLabel('New tag').fill('parcel')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('New tag').fill('late')
  await dialog.getByRole('button', { name: 'Save tags' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await expect(dialog).toContainText(address)
  await stranger.goto(address)
  await expect(stranger.getByText('This trace is published')).toBeVisible()
  await expect(stranger.getByText('where is my parcel, please?')).toBeVisible()
  await expect(stranger.getByText('late', { exact: true })).toBeVisible()
  await expect(stranger.getByRole('tab', { name: /Comments|Scores/ })).toHaveCount(0)
  await expect(stranger.getByRole('button', { name: 'Actions' })).toHaveCount(0)
  await takePicture(stranger, 'trace-published')
  for (const other of [`traces/${'f1'.repeat(16)}`, 'traces', 'sessions']) {
    await stranger.goto(`${server.url}/project/${server.project}/${other}`)
    await stranger.waitForURL(/\/auth\/sign-in/)
  }
  await stranger.context().close()
})

/** Selects a text that is shown, as with a mouse. */
async function selectText(page: Page, wanted: string) {
  await page.getByText(wanted).first().waitFor()
  await page.evaluate((text) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent?.indexOf(text) ?? -1
      if (at < 0 || !node.parentElement) continue
      getSelection()?.setBaseAndExtent(node, at, node, at + text.length)
      node.parentElement.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
      return
    }
  }, wanted)
}

test('two traces are compared', async ({ page, server }) => {
  const from = Date.now() - 3_600_000
  const [a, b] = ['f5'.repeat(16), 'f6'.repeat(16)]
  const root = { id: spanId(30), name: 'agent', lasts: 500 }
  await send(
    server,
    a,
    [root, { id: spanId(31), parent: spanId(30), name: 'search', attributes: said('old') }],
    from,
  )
  await send(
    server,
    b,
    [
      { ...root, lasts: 900 },
      { id: spanId(31), parent: spanId(30), name: 'search', attributes: said('new') },
      { id: spanId(32), parent: spanId(30), name: 'retry', at: 200 },
    ],
    from,
  )
  await open(page, server, `/project/${server.project}/traces/${a}`)
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Compare with another trace' }).click()
  await page.getByLabel('Id of the other trace').fill(b)
  await page.keyboard.press('Enter')
  await page.waitForURL(/traces\/compare\?/)
  const differences = page.getByRole('region', { name: 'Differences' })
  await expect(differences.getByRole('button', { name: /agent/ })).toContainText('+400 ms')
  await expect(differences.getByRole('button', { name: /retry/ })).toContainText('only in B')
  await differences.getByRole('button', { name: /search/ }).click()
  await expect(page.getByText('different', { exact: true })).toBeVisible()
  const difference = page.getByRole('region', { name: 'Difference: Output' })
  await expect(difference.getByRole('deletion')).toHaveText('old')
  await expect(difference.getByRole('insertion')).toHaveText('new')
  await takePicture(page, 'trace-compare')
  await page.getByRole('radio', { name: 'Both texts' }).click()
  await expect(page.getByText('Output of A')).toBeVisible()
  // A trace may have the same name as this page.
  await go(page, `/project/${server.project}/traces/compare`)
  await expect(page.getByText('This project has no such trace')).toBeVisible()
})

test('hostile names, clocks, circles and sizes leave the page in order', async ({
  page,
  server,
}) => {
  test.setTimeout(120_000)
  const traceId = 'f3'.repeat(16)
  const many = Array.from({ length: 2000 }, (_, n) => ({
    id: spanId(1000 + n),
    parent: spanId(n < 1 ? 10 : 1000 + Math.floor(n / 3)),
    name: `step ${n}`,
    at: n,
  }))
  await send(
    server,
    traceId,
    [
      { id: spanId(10), name: 'ש'.repeat(10_000), lasts: 3000 },
      { id: spanId(11), parent: spanId(12), name: '‮evil‬ <img src=x>', at: -500 },
      { id: spanId(12), parent: spanId(11), name: '当'.repeat(10_000), lasts: -50 },
      { id: spanId(13), parent: spanId(999_999), name: 'x'.repeat(10_000) },
      ...many,
    ],
    Date.now() - 3_600_000,
  )
  await open(page, server, `/project/${server.project}/traces/${traceId}?view=timeline`)
  await expect(page.getByText('2,004 observations')).toBeVisible()
  expect(await observations(page).getByRole('treeitem').count()).toBeLessThan(80)
  await observations(page).focus()
  await page.keyboard.press('End')
  await expect(observations(page).getByRole('treeitem', { selected: true })).toBeVisible()
  expect(await observations(page).getByRole('treeitem').count()).toBeLessThan(80)
  await page.keyboard.press('Home')
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { level: 2 })).toBeVisible()
  await takePicture(page, 'trace-hostile')
})

test('ids that no trace has, and odd ones, are said to be missing', async ({ page, server }) => {
  for (const id of ['nothing', 'a/b#c%d e', '当'.repeat(50)]) {
    await open(page, server, `/project/${server.project}/traces/${encodeURIComponent(id)}`)
    await expect(page.getByText('This project has no such trace')).toBeVisible()
    await expect(page.getByRole('main').getByText(id).first()).toBeVisible()
  }
})

test('a trace that grows while it is open shows what arrives', async ({ page, server }) => {
  const traceId = 'f4'.repeat(16)
  const now = Date.now()
  await send(server, traceId, [{ id: spanId(20), name: 'first' }], now)
  await open(page, server, `/project/${server.project}/traces/${traceId}`)
  await expect(page.getByText('1 observation', { exact: true })).toBeVisible()
  await send(server, traceId, [{ id: spanId(21), parent: spanId(20), name: 'later', at: 50 }], now)
  await expect(observations(page).getByRole('treeitem').filter({ hasText: 'later' })).toBeVisible()
})
