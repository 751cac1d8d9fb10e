import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'
const author = { id: 'u', name: 'Ada' }

const heads = {
  folders: [{ name: 'support', prompts: 2, latestAt: '2026-11-01T00:00:00.000Z' }],
  moreFolders: false,
  prompts: [
    {
      name: 'greeting',
      type: 'text',
      latest: { version: 3, createdAt: '2026-11-01T00:00:00.000Z', createdBy: author },
      labels: { latest: 3, production: 2 },
      tags: ['short'],
    },
  ],
  cursor: null,
  total: 1,
}

const everything = ['traces:read', 'prompts:read', 'prompts:write', 'prompts:delete']

const answers = (permissions: string[], more: Answers = {}): Answers => ({
  'GET /api/ui/auth/session': signedIn(...permissions),
  [`POST ${base}/query/prompts`]: heads,
  [`POST ${base}/query/prompt-uses`]: { since: '2026-10-25T00:00:00.000Z', uses: { greeting: 12 } },
  [`GET ${base}/prompt-labels`]: {
    labels: [{ label: 'production', prompts: 1, protected: true }],
    protected: ['production'],
    tags: ['long', 'short'],
  },
  ...more,
})

test('folders and prompts with labels, author and uses', async () => {
  const { sent } = renderApp('/project/p-search/prompts', answers(everything))
  const grid = within(await screen.findByRole('grid', { name: 'Prompts' }))
  await grid.findByRole('link', { name: 'support' })
  grid.getByText('2 prompts')
  grid.getByText('v2')
  grid.getByText('Ada')
  const uses = await grid.findByRole('link', { name: '12 observations with greeting' })
  expect(decodeURIComponent(uses.getAttribute('href') ?? '')).toContain(
    'promptName;stringOptions;;any of;greeting',
  )
  screen.getByText('3 prompts')
  expect(sent).toContainEqual([`POST ${base}/query/prompt-uses`, { names: ['greeting'] }])
})

test('an address says what is looked for', async () => {
  const { sent } = renderApp(
    '/project/p-search/prompts?folder=a%2Fb&search=refund&searchType=content&type=chat&sort=latest.desc',
    answers(everything),
  )
  await screen.findByText('greeting')
  expect(sent).toContainEqual([
    `POST ${base}/query/prompts`,
    {
      folder: 'a/b',
      search: 'refund',
      in: 'content',
      type: 'chat',
      sort: { by: 'createdAt', direction: 'desc' },
      limit: 100,
    },
  ])
})

test('a viewer reads, is told why there is nothing to change, and counts no observations', async () => {
  const { user, sent } = renderApp('/project/p-search/prompts', answers(['prompts:read']))
  await screen.findByText('greeting')
  screen.getByText('To create prompts you need the role Member.')
  expect(screen.queryByRole('link', { name: 'New prompt' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit the tags of greeting' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Actions for greeting' }))
  const names = (await screen.findAllByRole('menuitem')).map((item) => item.textContent)
  expect(names).toEqual(['Open', 'Export, all versions'])
  expect(sent.map(([request]) => request)).not.toContain(`POST ${base}/query/prompt-uses`)
})

test('all tags of the project can be chosen, whichever prompts are listed', async () => {
  const { user, address, sent } = renderApp('/project/p-search/prompts', answers(everything))
  await user.click(await screen.findByRole('button', { name: /Tag$/ }))
  const options = (await screen.findAllByRole('option')).map((option) => option.textContent)
  expect(options).toEqual(['Any tag', 'long', 'short'])
  await user.click(screen.getByRole('option', { name: 'long' }))
  expect(address()).toContain('tag=long')
  expect(sent.at(-1)).toEqual([
    `POST ${base}/query/prompts`,
    { tag: 'long', in: 'name', limit: 100 },
  ])
})

test('tags are edited in the list', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/prompts',
    answers(everything, { [`PUT ${base}/prompts/greeting/tags`]: { tags: ['short', 'new'] } }),
  )
  await user.click(await screen.findByRole('button', { name: 'Edit the tags of greeting' }))
  await user.type(await screen.findByRole('textbox', { name: 'Add a tag' }), 'new')
  await user.click(screen.getByRole('button', { name: 'Save tags' }))
  await screen.findByText('Tags saved')
  expect(sent).toContainEqual([`PUT ${base}/prompts/greeting/tags`, { tags: ['short', 'new'] }])
})

test('what refers to a prompt that cannot be deleted is said, with a link', async () => {
  const { user } = renderApp(
    '/project/p-search/prompts',
    answers(everything, {
      [`DELETE ${base}/prompts/greeting`]: () =>
        refusal(409, 'Other prompts depend on what would be deleted: letter v1.'),
      [`GET ${base}/prompts/greeting/dependents`]: {
        dependents: [{ name: 'letter', version: 1, latest: true, by: { label: 'production' } }],
      },
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Actions for greeting' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  await user.click(await screen.findByRole('button', { name: 'Delete prompt' }))
  await screen.findByText(/Other prompts depend on what would be deleted/)
  const link = await screen.findByRole('link', { name: 'letter' })
  expect(link.getAttribute('href')).toBe('/project/p-search/prompts/letter')
})

test('a file is previewed before it is imported', async () => {
  const outcomes = (dryRun: boolean) => ({
    dryRun,
    results: [
      { index: 0, name: 'a', outcome: 'created', version: 1, message: null },
      { index: 1, name: 'b', outcome: 'failed', version: null, message: 'b is a chat prompt' },
    ],
  })
  const { user, sent } = renderApp(
    '/project/p-search/prompts?dialog=import',
    answers(everything, {
      [`POST ${base}/prompts/import`]: (body) =>
        Response.json(outcomes((body as { dryRun: boolean }).dryRun)),
    }),
  )
  await screen.findByText('Drop a file with prompts')
  const input = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('there is no input for files')
  await user.upload(
    input,
    new File(['[{"name":"a","prompt":"x"},{"name":"b","prompt":"y"}]'], 'prompts.json'),
  )
  await screen.findByText('b is a chat prompt')
  await user.click(screen.getByRole('button', { name: 'Import 1 version' }))
  await screen.findByRole('list', { name: 'What was imported' })
  const runs = sent.filter(([request]) => request.endsWith('/prompts/import'))
  expect(runs.map(([, body]) => (body as { dryRun: boolean }).dryRun)).toEqual([true, false])
})

test('who protects labels is told to others', async () => {
  renderApp(
    '/project/p-search/settings/protected-prompt-labels',
    answers(['prompts:read', 'traces:read']),
  )
  await screen.findByText('To protect labels you need the role Admin.')
  await screen.findByText('Protected')
  expect(screen.queryByRole('button', { name: 'Stop protecting production' })).toBeNull()
})

test('an administrator stops protecting a label', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/settings/protected-prompt-labels',
    answers(['prompts:read', 'traces:read', 'project:admin'], {
      [`PUT ${base}/prompt-labels`]: { labels: [], protected: [] },
    }),
  )
  await user.click(await screen.findByRole('button', { name: 'Stop protecting production' }))
  await screen.findByText('production is free')
  expect(sent).toContainEqual([`PUT ${base}/prompt-labels`, { protected: [] }])
})
