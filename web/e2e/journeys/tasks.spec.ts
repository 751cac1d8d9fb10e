import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { ask, expect, go, newProject, open, type Ready, sendDemo, settled, test } from '../test'

/** What a person does: clicks, keys that do something, and texts typed in one go count as one each. */
class Hand {
  count = 0
  readonly page: Page
  constructor(page: Page) {
    this.page = page
  }
  async click(on: Locator, options?: Parameters<Locator['click']>[0]) {
    this.count += 1
    await on.click(options)
  }
  async press(key: string) {
    this.count += 1
    await this.page.keyboard.press(key)
  }
  async type(text: string) {
    this.count += 1
    await this.page.keyboard.type(text)
  }
}

/** The tasks of docs/exploring.md, with the number of clicks and keys that it promises. */
const promised = new Map(
  [
    ...readFileSync('../docs/exploring.md', 'utf8').matchAll(/^\| (?!Task|-)(.+?) \| (\d+) \|/gm),
  ].map(([, task = '', clicks]) => [task, Number(clicks)]),
)

type Rows = { rows: { id: string; traceId: string; name: string; totalCost: number | null }[] }
type Count = { count: number }

test('sixteen tasks take no more clicks and keys than the documentation says', async ({
  page,
  server,
  context,
}) => {
  test.setTimeout(240_000)
  const project: Ready = await newProject(server, 'Sixteen tasks')
  sendDemo(project)
  const home = `/project/${project.project}`
  const base = `/api/ui/projects/${project.project}`
  await ask(project, 'POST', `${base}/score-configs`, { name: 'helpful', dataType: 'BOOLEAN' })
  const query = (kind: string, body: object) =>
    ask<Rows>(project, 'POST', `${base}/query/${kind}`, { conditionsOn: kind, ...body })
  await open(page, project, home)

  const table = (name: string) => page.getByRole('grid', { name })
  const row = (name: string, at: number) => table(name).locator(`[data-index="${at}"][role="row"]`)
  const cell = (name: string, at: number) => row(name, at).locator('[data-column="name"]')
  const nav = (name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).first()
  const panel = page.getByRole('region', { name: 'Selected trace' })
  const bar = page.getByRole('combobox', { name: 'Filter and search' })
  const dialog = page.getByRole('dialog')

  const left = new Set(promised.keys())
  const took: Record<string, number> = {}
  const task = (name: string, work: (hand: Hand) => Promise<void>) =>
    test.step(name, async () => {
      expect(left.delete(name), `docs/exploring.md has no task "${name}"`).toBe(true)
      await go(page, home)
      const hand = new Hand(page)
      await work(hand)
      took[name] = hand.count
      expect(hand.count, name).toBeLessThanOrEqual(promised.get(name) ?? 0)
    })

  await task('The dearest trace and its dearest observation', async (hand) => {
    await hand.click(page.getByRole('link', { name: /^Cost\b/ }))
    await hand.click(cell('Traces', 0))
    await expect(page).toHaveURL(/[?&]peek=/)
    const traceId = new URL(page.url()).searchParams.get('peek')
    const { rows } = await query('observations', {
      filter: [{ type: 'string', column: 'traceId', operator: '=', value: traceId }],
      order: { column: 'totalCost' },
    })
    const dearest = rows[0]?.name ?? ''
    await hand.click(panel.getByRole('treeitem', { name: new RegExp(dearest) }).first())
    await expect(panel.getByRole('heading', { level: 2, name: dearest })).toBeVisible()
  })

  await task('Slow answers of one user in production, exported', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.press('/')
    await hand.type('user:customer-1000 env:production latency:>1s')
    await hand.press('Enter')
    await expect(page).toHaveURL(/filter=/)
    await settled(page)
    await hand.click(page.getByRole('button', { name: 'Export', exact: true }))
    await hand.click(page.getByRole('menuitem', { name: 'CSV', exact: true }))
    await expect(page.getByText('Exporting traces')).toBeVisible()
  })

  await task('What failing traces have in common, and others do not', async (hand) => {
    await hand.click(page.getByRole('link', { name: /Traces with errors/ }))
    await hand.click(page.getByRole('button', { name: 'What is different?' }))
    const found = page.getByRole('region', { name: 'What is different' })
    await expect(found.getByRole('listitem').first()).toBeVisible()
  })

  await task('Two traces side by side', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.click(page.getByRole('checkbox', { name: 'Select row 1', exact: true }))
    await hand.click(page.getByRole('checkbox', { name: 'Select row 2', exact: true }))
    await hand.click(page.getByRole('link', { name: 'Compare' }))
    await expect(page.getByRole('heading', { name: 'Compare traces' })).toBeVisible()
  })

  await task('Twenty traces scored', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.click(cell('Traces', 0))
    await hand.click(panel.getByRole('button', { name: 'Score (S)' }))
    const scoring = page.getByRole('complementary', { name: 'Scoring' })
    const yes = scoring.getByRole('button', { name: /Yes/ })
    for (let n = 0; n < 20; n += 1) {
      await expect(yes).toBeEnabled()
      await expect(yes).toHaveAttribute('aria-pressed', 'false')
      const before = page.url()
      await hand.press('1')
      await expect(yes).toHaveAttribute('aria-pressed', 'true')
      if (n === 19) break
      await hand.press('n')
      await expect(page).not.toHaveURL(before)
    }
    const given = () =>
      ask<{ data: unknown[] }>(project, 'GET', `${base}/v3/scores?name=helpful&limit=100`)
    await expect.poll(async () => (await given()).data.length).toBeGreaterThanOrEqual(20)
  })

  await task('A view handed over by its link', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.click(page.getByRole('checkbox', { name: /^ERROR/ }))
    await expect(page).toHaveURL(/filter=level/)
    const other = await context.newPage()
    await other.goto(page.url())
    await expect(other.getByRole('combobox', { name: 'Filter and search' })).toHaveValue(
      'level:ERROR',
    )
    await expect(other.getByText(/\d errors?/).first()).toBeVisible()
    await other.close()
  })

  await task('A phrase found, and its place in the trace', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.press('/')
    await hand.type('"Refund limits"')
    await hand.press('Enter')
    const mark = table('Traces').locator('mark').first()
    await expect(mark).toHaveText(/refund limits/i)
    await expect(mark).toBeInViewport({ ratio: 0.9 })
    await hand.click(mark)
    await expect(panel.getByRole('textbox', { name: 'Find in the trace' })).toHaveValue(
      'Refund limits',
    )
    await expect(page).toHaveURL(/[?&]observation=/)
    await expect.poll(() => page.evaluate(isFoundInSight)).toBe(true)
  })

  await task('The next failing trace', async (hand) => {
    await hand.click(page.getByRole('link', { name: /Traces with errors/ }))
    await hand.click(cell('Traces', 0))
    await expect(panel).toBeVisible()
    const first = page.url()
    await hand.press('j')
    await expect(page).not.toHaveURL(first)
    await expect(panel.getByText(/Error/).first()).toBeVisible()
  })

  await task('The model that costs most this week, and its calls', async (hand) => {
    await hand.click(page.getByRole('button', { name: /^Time range: / }))
    await hand.click(page.getByRole('button', { name: 'Last 7 days' }))
    await settled(page)
    const chart = page.getByRole('slider', { name: /^Cost\./ })
    const [top] = await page.getByRole('list', { name: 'Series' }).getByRole('button').all()
    const model = (await top?.innerText())?.trim() ?? ''
    // The largest series stands at the bottom of the bars.
    const bar = chart.locator('g rect').first()
    await hand.click(bar)
    await expect(page).toHaveURL(/\/observations\?/)
    const asked = page.getByRole('combobox', { name: 'Filter and search' })
    await expect(asked).toHaveValue(`model:=${model}`)
    await expect(row('Observations', 0)).toContainText(model)
  })

  await task('Ten traces bookmarked at once, and not', async (hand) => {
    const marked = async () =>
      (
        await ask<Count>(project, 'POST', `${base}/query/count`, {
          of: 'traces',
          conditionsOn: 'traces',
          filter: [{ type: 'boolean', column: 'bookmarked', operator: '=', value: true }],
        })
      ).count
    await hand.click(nav('Traces'))
    const before = await marked()
    await hand.click(page.getByRole('checkbox', { name: 'Select row 1', exact: true }))
    await hand.click(cell('Traces', 9), { modifiers: ['Shift'] })
    await expect(page.getByText('10 selected')).toBeVisible()
    await hand.click(page.getByRole('button', { name: 'Tag or bookmark' }))
    await hand.click(dialog.getByRole('button', { name: 'Bookmark 10 traces' }))
    await expect(dialog.getByText('10 changed.')).toBeVisible()
    expect(await marked()).toBeGreaterThan(before)
    await hand.click(dialog.getByRole('button', { name: 'Undo' }))
    await expect.poll(marked).toBe(before)
    await page.keyboard.press('Escape')
  })

  await task('An output corrected', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.click(cell('Traces', 0))
    await hand.click(panel.getByRole('button', { name: 'Correct output' }).first())
    await hand.click(panel.getByRole('textbox', { name: 'Corrected output' }))
    await hand.type('It should have said so. ')
    await hand.click(panel.getByRole('button', { name: 'Save correction' }))
    await expect(page.getByText('Correction saved')).toBeVisible()
  })

  await task('A colleague mentioned in a comment', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.click(cell('Traces', 1))
    await hand.click(panel.getByRole('tab', { name: /Comments/ }))
    await hand.click(panel.getByRole('textbox', { name: 'Comment' }))
    await hand.type('Is this right, @ad')
    await expect(page.getByRole('option', { name: 'Ada Lovelace', selected: true })).toBeVisible()
    await hand.press('Enter')
    await hand.press('Control+Enter')
    const comment = panel.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    await expect(comment).toContainText('Is this right, @Ada Lovelace')
  })

  await task('Sessions of a user, the dearest first', async (hand) => {
    await hand.click(nav('Users'))
    await hand.click(row('Users', 0).locator('[data-column="id"]'))
    await hand.click(page.getByRole('tab', { name: 'Sessions' }))
    await hand.click(table('Sessions').getByRole('button', { name: /Cost/ }))
    await expect(page).toHaveURL(/sort=totalCost\.desc/)
  })

  await task('A value excluded', async (hand) => {
    await hand.click(nav('Traces'))
    const name = cell('Traces', 0)
    const called = await name.innerText()
    await name.hover()
    await hand.click(page.getByRole('button', { name: 'Filter by this value' }))
    await hand.click(page.getByRole('menuitem', { name: `Exclude ${called}` }))
    await expect(bar).toHaveValue(/^-traceName:/)
    await expect(cell('Traces', 0)).not.toHaveText(called)
  })

  await task('Everything there is, of all time', async (hand) => {
    await hand.click(nav('Traces'))
    await hand.click(page.getByRole('button', { name: /^Time range: / }))
    await hand.click(page.getByRole('button', { name: 'All time' }))
    await expect(page.getByRole('status').filter({ hasText: /^200 traces$/ })).toBeVisible()
  })

  await task('All data of one user deleted', async (hand) => {
    await hand.click(nav('Users'))
    await hand.click(row('Users', 0).locator('[data-column="id"]'))
    await hand.click(page.getByRole('button', { name: 'Delete traces' }))
    const asked = page.getByRole('alertdialog')
    const count = /([\d,]+) traces? from all time/.exec(
      (await asked.getByText(/from all time/).innerText()) ?? '',
    )?.[1]
    await hand.click(asked.getByRole('textbox'))
    await hand.type((count ?? '').replaceAll(',', ''))
    await hand.click(asked.getByRole('button', { name: 'Delete traces' }))
    await expect(page.getByText('The traces of the user are deleted')).toBeVisible()
  })

  expect([...left]).toEqual([])
  expect(took).toEqual(Object.fromEntries(promised))
})

/** Whether the first place in a value that is marked as found is in sight. Runs in the page. */
function isFoundInSight(): boolean {
  const marks = [...(CSS.highlights.get('found') ?? [])]
  const first = marks.find((mark) => mark.startContainer.parentElement?.closest('[data-value]')) as
    Range | undefined
  if (!first) return false
  const { top, bottom, left } = first.getBoundingClientRect()
  const there = document.elementFromPoint(left + 1, (top + bottom) / 2)
  return there !== null && there.contains(first.startContainer.parentElement)
}
