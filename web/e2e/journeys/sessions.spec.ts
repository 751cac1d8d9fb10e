import { ask, expect, expectAccessible, open, sendTrace, takePicture, test } from '../test'

const asked = ['Where is my parcel?', 'Can you send it to Rome instead?']
const answered = ['It arrives on Monday.', 'Done: it goes to Rome.']
const traceIds = ['c1'.repeat(16), 'c2'.repeat(16)]

test.beforeEach(async ({ server }) => {
  const said = (at: number) => [
    ...asked.slice(0, at).flatMap((question, turn) => [
      { role: 'user', content: question },
      { role: 'assistant', content: answered[turn] },
    ]),
    { role: 'user', content: asked[at] },
  ]
  for (const [at, traceId] of traceIds.entries())
    await sendTrace(server, {
      traceId,
      name: 'support chat',
      attributes: {
        'langfuse.observation.input': JSON.stringify(said(at)),
        'langfuse.observation.output': JSON.stringify({
          role: 'assistant',
          content: answered[at],
        }),
        'session.id': 'parcel/1',
        'user.id': 'grace',
      },
    })
  const scores = `/api/ui/projects/${server.project}/scores`
  const score = (traceId: string | undefined, name: string, value: string) =>
    ask(server, 'POST', scores, { id: `${traceId}-${name}`, traceId, name, value })
  await score(traceIds[0], 'tone', 'friendly')
  await score(traceIds[0], 'tone of a reviewer', 'friendly')
  await score(traceIds[1], 'tone', 'curt')
  await score(traceIds[1], 'tone of a reviewer', 'friendly')
})

test('a session is found in the list and read as one conversation', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}/sessions`)
  const row = page.getByRole('grid', { name: 'Sessions' }).getByRole('row', { name: /parcel\/1/ })
  await expect(row).toContainText('grace')
  const bar = page.getByRole('combobox', { name: 'Filter sessions' })
  await bar.fill('nothing')
  await bar.press('Enter')
  await expect(page.getByText('No sessions match the query')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the query', exact: true }).last().click()
  // Conditions are on the session as a whole: it has two traces, and costs nothing.
  await bar.fill('traces:>1 user:grace scores.tone:curt')
  await bar.press('Enter')
  await expect(row).toBeVisible()
  await expect(page.getByText('1 session', { exact: true })).toBeVisible()
  await bar.fill('traces:>2')
  await bar.press('Enter')
  await expect(page.getByText('No sessions match the query')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the query', exact: true }).last().click()
  await row.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Session' })).toBeVisible()
  await expect(page.locator('main code').first()).toHaveText('parcel/1')

  const turns = page.getByRole('article')
  await expect(turns).toHaveCount(2)
  // Each turn says only what is new in it.
  for (const at of [0, 1]) {
    await expect(turns.nth(at).getByRole('group', { name: 'Asked' })).toContainText(asked[at] ?? '')
    await expect(turns.nth(at)).toContainText(answered[at] ?? '')
  }
  await expect(turns.nth(1)).not.toContainText(asked[0] ?? '')
  await turns.nth(1).getByRole('button', { name: 'Show the whole input' }).click()
  await expect(turns.nth(1)).toContainText(asked[0] ?? '')
  await takePicture(page, 'session')

  await page.getByRole('link', { name: 'grace' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'User' })).toBeVisible()
  await page.getByRole('tab', { name: 'Sessions' }).click()
  await expect(page).toHaveURL(/tab=Sessions/)
  await expect(page.getByRole('grid', { name: 'Sessions' })).toContainText('parcel/1')
  await page.getByRole('button', { name: 'Cost over time as a table' }).click()
  await expect(page.getByRole('region', { name: 'Cost over time, numbers' })).toBeVisible()
  await takePicture(page, 'user')
})

test('two scores are compared, and a cell leads to what was scored', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}/scores`)
  await expect(page.getByRole('grid', { name: 'Scores' })).toContainText('tone of a reviewer')
  await page.getByRole('link', { name: 'Analytics' }).click()
  await page.getByRole('button', { name: /Compare with/ }).click()
  await page.getByRole('option', { name: /tone/ }).first().click()
  // One of two is equal, as expected by chance.
  await expect(page.getByRole('definition').filter({ hasText: /^50%$/ })).toBeVisible()
  const matrix = page.getByRole('region', { name: /against/ })
  await matrix.getByRole('link', { name: /curt and friendly|friendly and curt/ }).click()
  await expect(page).toHaveURL(/cell=/)
  await takePicture(page, 'score-analytics')
  await page.getByRole('link', { name: `trace ${traceIds[1]}` }).click()
  await expect(page).toHaveURL(new RegExp(`/traces/${traceIds[1]}`))
})

test('a score is edited and deleted', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}/scores?name=tone`)
  const row = page.getByRole('grid', { name: 'Scores' }).getByRole('row', { name: /curt/ })
  await row.getByRole('button', { name: 'Actions for tone' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Value' }).fill('rude')
  await page.getByRole('textbox', { name: 'Comment' }).fill('It did not greet')
  await page.getByRole('button', { name: 'Save' }).click()
  const changed = page.getByRole('row', { name: /rude/ })
  await expect(changed).toContainText('It did not greet')
  await changed.getByRole('button', { name: 'Actions for tone' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete score' }).click()
  await expect(changed).toHaveCount(0)
})

test('the home page leads to the rows behind its figures', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}`)
  const traces = page.getByRole('slider', { name: /^Traces/ })
  await expect(traces).toHaveAttribute('aria-valuetext', /Traces \d+/)
  await expectAccessible(page)
  await takePicture(page, 'home-with-traces')
  await page.getByRole('link', { name: /Traces with errors/ }).click()
  await expect(page).toHaveURL(/traces\?.*filter=level/)
})

test('a range is all time, or days of a calendar', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}/sessions`)
  await page.getByRole('button', { name: /^Time range: / }).click()
  await page.getByRole('button', { name: 'All time' }).click()
  await expect(page).toHaveURL(/dateRange=all/)
  await expect(page.getByRole('row', { name: /parcel\/1/ })).toBeVisible()
  await page.getByRole('button', { name: 'Time range: All time' }).click()
  const today = page
    .getByRole('grid')
    .last()
    .getByRole('button', { name: /^Today/ })
  await today.click()
  await today.click()
  await expect(page).toHaveURL(/dateRange=[^&]*(~|%7E)/)
  await expect(page.getByRole('row', { name: /parcel\/1/ })).toBeVisible()
})
