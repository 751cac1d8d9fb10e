import { readFile } from 'node:fs/promises'
import { attributesOf, type Ready, sendSpans } from '../client'
import { ask, expect, newProject, open, takePicture, test } from '../test'

/** The run of an item as the SDKs send it: a span that names the experiment and the item, and is its root. */
type Run = { experiment: string; item: string; output: string; score: number; isError?: boolean }

const questions = ['the capital of France', 'the capital of Peru', 'the capital of Chad']

const runs: Run[] = [
  { experiment: 'old', item: 'item-0', output: 'Paris', score: 1 },
  { experiment: 'old', item: 'item-1', output: 'Lima is the capital.', score: 1 },
  { experiment: 'old', item: 'item-2', output: 'Abuja', score: 0 },
  { experiment: 'new', item: 'item-0', output: 'Paris', score: 1 },
  { experiment: 'new', item: 'item-1', output: 'Cusco is the capital.', score: 0.25 },
  { experiment: 'new', item: 'item-1', output: '', score: 0.25, isError: true },
]

// A project of its own: others look at the only scores of theirs.
let server: Ready
test.beforeEach(async ({ server: shared }, { testId, retry }) => {
  server = await newProject(shared, `Capitals ${testId} ${retry}`)
  const now = server.at ?? Date.now()
  const spans = runs.map((run, n) => {
    const spanId = `e${n}`.repeat(8)
    const start = now - 60_000 + n * 2_000
    return {
      traceId: `e${n}`.repeat(16),
      spanId,
      name: 'experiment-item-run',
      startTimeUnixNano: `${start}000000`,
      endTimeUnixNano: `${start + 1_000}000000`,
      ...(run.isError && { status: { code: 2, message: 'no answer' } }),
      attributes: attributesOf({
        'langfuse.experiment.id': `run-${run.experiment}`,
        'langfuse.experiment.name': `${run.experiment} prompt`,
        'langfuse.experiment.dataset.id': 'capitals-id',
        'langfuse.experiment.item.id': run.item,
        'langfuse.experiment.item.root_observation_id': spanId,
        'langfuse.experiment.item.expected_output': 'A city',
        'langfuse.observation.input': questions[Number(run.item.at(-1))] ?? '',
        ...(run.output !== '' && { 'langfuse.observation.output': run.output }),
        ...(run.isError && { 'langfuse.observation.level': 'ERROR' }),
      }),
    }
  })
  await sendSpans(server, spans)
  const scores = `/api/ui/projects/${server.project}/scores`
  for (const [n, { score }] of runs.entries())
    await ask(server, 'POST', scores, {
      id: `correct-${n}`,
      traceId: `e${n}`.repeat(16),
      name: 'correct',
      value: score,
      dataType: 'NUMERIC',
    })
})

test('two experiments are compared, from the list to the trace of an item that got worse', async ({
  page,
}) => {
  const base = `/project/${server.project}`
  await open(page, server, `${base}/experiments`)
  const list = page.getByRole('grid', { name: 'Experiments' })
  await expect(list.getByRole('row', { name: /new prompt/ })).toContainText('1 error')
  await expect(list.getByRole('row', { name: /old prompt/ })).toContainText('0.667')
  await takePicture(page, 'experiments')
  await page.getByRole('searchbox', { name: 'Search experiments' }).fill('nothing')
  await expect(page.getByText('No experiments match')).toBeVisible()
  await page.getByRole('button', { name: 'Show all experiments' }).click()
  for (const name of [/new prompt/, /old prompt/])
    await list.getByRole('row', { name }).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Compare', exact: true }).click()

  await expect(page).toHaveURL(/results\?baseline=run-old&c=run-new$/)
  const summary = page.getByRole('region', { name: 'Summary' })
  await expect(summary).toContainText('1 of 2 items got worse, 0 better. That is too few items')
  await expect(summary).toContainText('1 only in the baseline')
  const items = page.getByRole('grid', { name: 'Items' })
  await expect(items.getByRole('row', { name: /Chad/ })).toContainText('missing')
  await expect(items.getByRole('row', { name: /Peru/ })).toContainText('2 runs')
  await takePicture(page, 'experiment-results')

  await summary.getByRole('button', { name: /got worse in correct/ }).click()
  await expect(page).toHaveURL(/only=regressions/)
  await expect(items.getByRole('row', { name: /France/ })).toHaveCount(0)
  await items.getByRole('row', { name: /Peru/ }).click()
  const panel = page.getByRole('region', { name: 'Selected item' })
  await expect(panel).toContainText('Cusco is the capital.')
  await expect(panel).toContainText('1 line removed')
  await takePicture(page, 'experiment-item')
  await panel
    .getByRole('region', { name: /new prompt/ })
    .getByRole('button', { name: 'Show trace' })
    .first()
    .click()
  await expect(panel.getByRole('link', { name: 'Open' })).toHaveAttribute('href', /traces\/e4e4/)
  await expect(panel.getByText('experiment-item-run').first()).toBeVisible()
  await panel.getByRole('button', { name: 'Comparison' }).click()
  await panel.getByRole('button', { name: /^Close/ }).click()
  await expect(panel).toHaveCount(0)

  // If lower values are better, nothing has got worse.
  await summary.getByRole('button', { name: 'Higher is better' }).click()
  await expect(page.getByText('No items match')).toBeVisible()
  await page.getByRole('button', { name: 'Show all items' }).click()
  await expect(items.getByRole('row', { name: /Peru/ })).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  expect(text.split('\r\n')[0]).toContain('old prompt: output')
  expect(text).toContain('Cusco is the capital.')

  await page.getByRole('button', { name: 'Make baseline' }).click()
  await expect(page).toHaveURL(/baseline=run-new&c=run-old/)
})

test('the link that SDKs print leads to the results, and says if there are none', async ({
  page,
}) => {
  const base = `/project/${server.project}`
  await open(page, server, `${base}/datasets/capitals-id/runs/run-old`)
  await expect(page).toHaveURL(/experiments\/results\?baseline=run-old$/)
  const items = page.getByRole('grid', { name: 'Items' })
  await expect(items.getByRole('row', { name: /France/ })).toContainText('Paris')
  await page.getByRole('button', { name: 'Compare with' }).click()
  await page.getByRole('option', { name: /new prompt/ }).click()
  await expect(page).toHaveURL(/c=run-new/)
  await open(page, server, `${base}/datasets/capitals-id/compare?runs=run-old&runs=run-new`)
  await expect(items.getByRole('row', { name: /Peru/ })).toContainText('Cusco')
  await open(page, server, `${base}/experiments/results?baseline=nothing`)
  await expect(page.getByText('Couldn’t compare the experiments')).toBeVisible()
  await open(page, server, `${base}/experiments/results`)
  await expect(page.getByText('No experiment is named')).toBeVisible()
})
