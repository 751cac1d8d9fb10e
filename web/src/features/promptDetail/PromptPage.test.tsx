import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'
const path = `${base}/prompts/support%2Fgreeting`
const page = '/project/p-search/prompts/support%2Fgreeting'

const row = (version: number, labels: string[] = [], commitMessage: string | null = null) => ({
  id: `id${version}`,
  version,
  createdAt: '2026-01-02T03:04:05.000Z',
  createdBy: { id: 'u1', name: 'Grace' },
  labels,
  commitMessage,
  commentCount: version === 2 ? 3 : 0,
  hash: null,
})
const rows = [
  row(3, ['latest'], 'shorter'),
  row(2, ['production', 'staging'], 'more formal'),
  row(1),
]
const versions = {
  name: 'support/greeting',
  type: 'text',
  tags: ['mail'],
  newest: 3,
  total: 3,
  labels: { production: 2, staging: 2 },
  protectedLabels: ['production'],
  canMoveProtected: true,
  versions: rows,
  cursor: null,
}
const shown = (version: number, prompt: unknown, more: object = {}) => ({
  ...rows.find((each) => each.version === version),
  name: 'support/greeting',
  type: 'text',
  prompt,
  config: { temperature: 0.2 },
  tags: ['mail'],
  references: [],
  resolved: null,
  problem: null,
  ...more,
})
const reference = '@@@langfusePrompt:name=sign|label=production@@@'
const answers: Answers = {
  'GET /api/ui/auth/session': signedIn(
    'prompts:read',
    'prompts:write',
    'prompts:delete',
    'comments:read',
    'traces:read',
    'audit:read',
    'playground:run',
  ),
  [`GET ${path}/versions`]: versions,
  [`GET ${path}/versions/3`]: shown(3, 'Hi {{name}}!'),
  [`GET ${path}/versions/2`]: shown(2, 'Good day, {{name}}!'),
  [`GET ${path}/versions/1`]: shown(1, `<b>Hello</b> ${reference}`, {
    references: [{ name: 'sign', version: null, label: 'production' }],
    resolved: {
      prompt: '<b>Hello</b> The team',
      dependencies: { id1: [{ id: 'x', name: 'sign', version: 4 }] },
    },
  }),
  [`GET ${path}/dependents`]: { dependents: [] },
  [`GET ${base}/prompt-labels`]: {
    labels: [{ label: 'canary', prompts: 1, protected: false }],
    protected: ['production'],
  },
}

test('the newest version is shown, and J and K go from one to the next', async () => {
  const { user, address } = renderApp(page, answers)
  await screen.findByRole('heading', { name: 'Version 3' })
  screen.getByText('shorter', { selector: 'p' })
  screen.getByText('{{name}}')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('support/greeting')
  await user.keyboard('j')
  await screen.findByRole('heading', { name: 'Version 2' })
  expect(address()).toContain('version=2')
  await user.keyboard('j')
  await screen.findByRole('heading', { name: 'Version 1' })
  await user.keyboard('jk')
  await screen.findByRole('heading', { name: 'Version 2' })
})

test('a label in the address means the version that has it; an unknown one is said', async () => {
  const { unmount } = renderApp(`${page}?label=production`, answers)
  await screen.findByRole('heading', { name: 'Version 2' })
  unmount()
  renderApp(`${page}?label=nothing`, answers)
  await screen.findByText('No version has the label “nothing”.')
})

test('a version that does not exist, and a prompt that does not', async () => {
  const { unmount } = renderApp(`${page}?version=8`, answers)
  await screen.findByText('There is no version 8')
  unmount()
  renderApp('/project/p-search/prompts/nothing', answers)
  await screen.findByText('There is no prompt of this name')
})

test('two versions are compared in the address', async () => {
  const { user, address } = renderApp(`${page}?version=3&diff=2`, answers)
  const region = await screen.findByRole('region', { name: 'Difference: text' })
  await waitFor(() => expect(region.querySelector('ins')?.textContent).toBe('Hi'))
  screen.getByRole('heading', { name: 'Version 2 → version 3' })
  await user.click(screen.getByRole('button', { name: 'Swap' }))
  await screen.findByRole('heading', { name: 'Version 3 → version 2' })
  expect(address()).toContain('version=2&diff=3')
  await user.click(screen.getByRole('button', { name: 'Stop comparing' }))
  await screen.findByText('{{name}}')
  expect(address()).not.toContain('diff')
  const list = within(screen.getByRole('region', { name: 'List of versions' }))
  await user.click(list.getByRole('link', { name: 'Compare version 1 with version 2' }))
  await screen.findByRole('heading', { name: 'Version 1 → version 2' })
})

test('references lead to their prompt, or are shown as what they become', async () => {
  const { user, address } = renderApp(`${page}?version=1`, answers)
  const link = await screen.findByRole('link', { name: reference })
  expect(link.getAttribute('href')).toBe('/project/p-search/prompts/sign?label=production')
  expect(document.querySelector('b')).toBeNull()
  await user.click(screen.getByRole('radio', { name: 'Resolved' }))
  await screen.findByText('<b>Hello</b> The team')
  screen.getByRole('link', { name: 'sign v4' })
  expect(address()).toContain('view=resolved')
})

test('moving production says which version it leaves, and shows the difference', async () => {
  let isMoved = false
  const { user, sent } = renderApp(`${page}?version=3`, {
    ...answers,
    [`PUT ${path}/versions/3/labels`]: () => {
      isMoved = true
      return Response.json({ labels: { production: 3, staging: 2 }, moved: [] })
    },
    [`GET ${path}/versions`]: () =>
      Response.json(isMoved ? { ...versions, labels: { production: 3, staging: 2 } } : versions),
  })
  await user.click(await screen.findByRole('button', { name: 'Labels' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Labels of version 3' }))
  await user.click(dialog.getByRole('checkbox', { name: /^production/ }))
  dialog.getByText('production moves from version 2 to version 3.')
  const region = await dialog.findByRole('region', { name: 'Difference: text' })
  expect(region.textContent).toContain('Good day')
  await user.click(dialog.getByRole('button', { name: 'Move production' }))
  await screen.findByText('production is version 3')
  expect(sent).toEqual([[`PUT ${path}/versions/3/labels`, { labels: ['production'] }]])
})

test('a new label is checked, and one that is referred to is not removed', async () => {
  const { user } = renderApp(`${page}?version=2`, {
    ...answers,
    [`PUT ${path}/versions/2/labels`]: () =>
      refusal(409, 'Other prompts depend on a label that no version would have any more.'),
    [`GET ${path}/dependents`]: {
      dependents: [
        { name: 'letter', version: 6, latest: true, by: { label: 'staging' } },
        { name: 'other', version: 1, latest: true, by: { label: 'production' } },
      ],
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Labels' }))
  const dialog = within(await screen.findByRole('dialog'))
  const field = dialog.getByRole('textbox', { name: 'Another label' })
  await user.type(field, 'No Good')
  dialog.getByText(/A label consists of lower-case letters/)
  await user.clear(field)
  await user.click(dialog.getByRole('checkbox', { name: /^staging/ }))
  await user.click(dialog.getByRole('button', { name: 'Remove staging' }))
  await dialog.findByText(/Other prompts depend/)
  const link = await dialog.findByRole('link', { name: 'letter v6' })
  expect(link.getAttribute('href')).toBe('/project/p-search/prompts/letter?version=6')
  expect(dialog.queryByRole('link', { name: 'other v1' })).toBeNull()
})

test('protected labels cannot be moved without the role, and it is said which one it takes', async () => {
  const { user } = renderApp(`${page}?version=3`, {
    ...answers,
    [`GET ${path}/versions`]: { ...versions, canMoveProtected: false },
  })
  await user.click(await screen.findByRole('button', { name: 'Labels' }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('checkbox', { name: /^production/ }).hasAttribute('disabled')).toBe(true)
  dialog.getByText(/To move protected labels you need the role Admin/)
})

test('viewers read, and are told which role it takes to change', async () => {
  renderApp(page, { ...answers, 'GET /api/ui/auth/session': signedIn('prompts:read') })
  await screen.findByRole('heading', { name: 'Version 3' })
  screen.getByText(/To change prompts you need the role/)
  for (const name of ['Labels', 'Edit tags', 'More'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('link', { name: /playground|New version/ })).toBeNull()
  expect(screen.queryByRole('tab', { name: 'Figures' })).toBeNull()
})

test('deleting says what is deleted and what refers to it', async () => {
  const { user, sent, address } = renderApp(`${page}?version=2`, {
    ...answers,
    [`GET ${path}/dependents`]: {
      dependents: [{ name: 'letter', version: 6, latest: true, by: { version: 2 } }],
    },
    [`DELETE ${path}`]: {},
  })
  await user.click(await screen.findByRole('button', { name: 'More' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete version 2' }))
  const dialog = within(await screen.findByRole('alertdialog'))
  await dialog.findByRole('link', { name: 'letter v6' })
  dialog.getByText(/“more formal”, is deleted/)
  dialog.getByText(/Its labels production, staging go with it/)
  dialog.getByText('It can be restored for 30 days.')
  await user.click(dialog.getByRole('button', { name: 'Delete version 2' }))
  await screen.findByText('Version 2 deleted')
  expect(sent).toEqual([[`DELETE ${path}`, undefined]])
  expect(address()).toBe(page)
})

test('tags are replaced', async () => {
  const { user, sent } = renderApp(page, { ...answers, [`PUT ${path}/tags`]: { tags: [] } })
  await user.click(await screen.findByRole('button', { name: 'Edit tags' }))
  await user.type(await screen.findByRole('textbox', { name: 'Add a tag' }), 'new one')
  await user.click(screen.getByRole('button', { name: 'Save tags' }))
  await screen.findByText('Tags saved')
  expect(sent).toEqual([[`PUT ${path}/tags`, { tags: ['mail', 'new one'] }]])
})

const figures = (version: number, count: number, p50: number) => ({
  version,
  count,
  errors: 1,
  latency: { p50, p95: 2 },
  tokens: { input: 100, output: 10 },
  cost: { mean: 0.01, p50: 0.01, sum: 1 },
  firstAt: '2026-01-02T03:04:05.000Z',
  lastAt: '2026-01-02T03:04:05.000Z',
  scores: [
    { name: 'helpful', source: 'API', dataType: 'NUMERIC', count: 2, mean: 0.5, values: {} },
  ],
})

test('figures stand beside those of the version before', async () => {
  const { user } = renderApp(`${page}?tab=metrics`, {
    ...answers,
    [`POST ${base}/prompts/metrics`]: {
      versions: [figures(3, 10, 1.5), figures(1, 20, 1)],
      series: {
        start: new Date(Date.now() - 3_600_000).toISOString(),
        step: 600_000,
        buckets: 6,
        points: [{ bucket: 1, version: 3, count: 10, errors: 1, p50: 1.5, cost: 0.1 }],
      },
      partial: false,
    },
    [`GET ${path}/label-moves`]: {
      moves: [
        {
          label: 'production',
          from: 1,
          to: 3,
          at: new Date(Date.now() - 1_800_000).toISOString(),
          by: { id: 'u1', name: 'Grace' },
        },
      ],
      cursor: null,
    },
  })
  const table = within(await screen.findByRole('grid', { name: 'Figures by version' }))
  await table.findByText('+50%')
  table.getByText('helpful')
  const moves = within(await screen.findByRole('list', { name: 'Labels that moved' }))
  moves.getByText(/production moved from v1 to v3/)
  await user.click(screen.getByRole('radio', { name: 'Latency' }))
  screen.getByRole('figure', { name: 'Median latency by version' })
})

test('code has the address of the server and the name', async () => {
  const { user } = renderApp(`${page}?tab=use-prompt&version=2`, answers)
  const code = await screen.findByLabelText('Python code')
  expect(code.textContent).toContain('get_prompt("support/greeting", label="production")')
  expect(code.textContent).toContain(location.origin)
  await user.click(screen.getByRole('radio', { name: 'almanac' }))
  expect(screen.getByLabelText('almanac code').textContent).toContain('--folder support')
})

test('observations of a version are links', async () => {
  const observation = {
    id: 'o1',
    traceId: 't1',
    name: 'answer',
    level: 'DEFAULT',
    startTime: '2026-01-02T03:04:05.000Z',
    latency: 1.5,
    usage: { total: 3 },
    totalCost: 0.1,
    inputPreview: 'in',
    outputPreview: 'out',
  }
  renderApp(`${page}?tab=linked-generations&version=2`, {
    ...answers,
    [`POST ${base}/query/observations`]: { rows: [observation], cursor: null },
  })
  const cell = await screen.findByRole('gridcell', { name: 'answer' })
  expect(cell.getAttribute('href')).toBe('/project/p-search/traces/t1?observation=o1')
})

test('a version far below the newest is listed with its neighbours, without all above it', async () => {
  // Without a layout, scrolling is only an offset.
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(10_000_000)
  vi.spyOn(HTMLElement.prototype, 'scrollTo').mockImplementation(function (
    this: HTMLElement,
    to?: unknown,
  ) {
    this.scrollTop = Number(Object(to).top)
    queueMicrotask(() => this.dispatchEvent(new Event('scroll')))
  })
  const newest = 40_000
  const asked: string[] = []
  const { user, address } = renderApp(`${page}?version=7500`, {
    ...answers,
    [`GET ${path}/versions`]: (_: unknown, search: URLSearchParams) => {
      const cursor = search.get('cursor')
      asked.push(cursor ?? 'newest')
      // Every version up to 7600 but 7540 to 7420, which were deleted except for 7500.
      const isThere = (version: number) => version < 7420 || version > 7540 || version === 7500
      const found: number[] = []
      for (let next = Number(cursor ?? newest + 1) - 1; next > 0 && found.length < 100; next -= 1)
        if (isThere(next)) found.push(next)
      return Response.json({
        ...versions,
        newest,
        total: newest,
        versions: found.map((each) => row(each)),
        cursor: String(found.at(-1)),
      })
    },
    [`GET ${path}/versions/7500`]: { ...shown(2, 'Far'), ...row(7500) },
    [`GET ${path}/versions/7541`]: { ...shown(2, 'Farther'), ...row(7541) },
    [`GET ${path}/versions/${newest}`]: { ...shown(2, 'New'), ...row(newest) },
  })
  const list = within(await screen.findByRole('region', { name: 'List of versions' }))
  const link = await list.findByRole('link', { name: /^v7500/ })
  expect(link.getAttribute('aria-current')).not.toBeNull()
  await list.findByRole('link', { name: /^v7541/ })
  // Newer versions come where they are near, not down from the newest.
  expect(asked.filter((cursor) => Number(cursor) > 8000)).toEqual([])
  expect(asked).toContain('7631')
  await screen.findByRole('heading', { name: 'Version 7500' })
  await user.keyboard('k')
  await screen.findByRole('heading', { name: 'Version 7541' })
  const before = asked.length
  await user.click(screen.getByRole('button', { name: 'Go to the newest' }))
  await list.findByRole('link', { name: /^v40000/ })
  expect(address()).toContain(`version=${newest}`)
  expect(asked.slice(before).filter((cursor) => Number(cursor) < 39_000)).toEqual([])
})
