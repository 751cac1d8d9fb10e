import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp, type Answers } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'

const row = (version: number, name = 'Ada') => ({
  id: `id${version}`,
  version,
  createdAt: '2026-11-01T00:00:00.000Z',
  createdBy: { id: 'u', name },
  labels: [],
  commitMessage: null,
  commentCount: 0,
  hash: null,
})

const shown = (version: number, text: string, name = 'Ada') => ({
  ...row(version, name),
  name: 'greeting',
  type: 'text',
  prompt: text,
  config: {},
  tags: [],
  references: [],
  resolved: null,
  problem: null,
})

const answers = (more: Answers = {}): Answers => ({
  'GET /api/ui/auth/session': signedIn('prompts:read', 'prompts:write'),
  [`GET ${base}/prompt-labels`]: { labels: [], protected: [] },
  [`GET ${base}/prompts/greeting/versions`]: {
    name: 'greeting',
    type: 'text',
    tags: [],
    newest: 1,
    total: 1,
    labels: { latest: 1, production: 1 },
    protectedLabels: [],
    canMoveProtected: false,
    versions: [row(1)],
    cursor: null,
  },
  [`GET ${base}/prompts/greeting/versions/latest`]: shown(1, 'Hello'),
  [`GET ${base}/prompts/greeting/versions/2`]: shown(2, 'Hello from Grace', 'Grace'),
  ...more,
})

/** Types at the end of the editor; in tests, keys reach it only as changes of its text. */
async function write(label: string, text: string) {
  const { EditorView } = await import('@codemirror/view')
  const field = await screen.findByRole('textbox', { name: label })
  const view = EditorView.findFromDOM(field)
  if (!view) throw new Error('the editor has not loaded')
  // The effects of the editor that has just appeared come first: they would put its text back.
  await act(async () => {})
  await act(async () => view.dispatch({ changes: { from: view.state.doc.length, insert: text } }))
}

test('a name that is taken leads to a new version of it', async () => {
  const { user } = renderApp(
    '/project/p-search/prompts/new',
    answers({
      [`POST ${base}/prompts/check-name`]: {
        valid: true,
        problem: null,
        exists: true,
        type: 'text',
        newest: 1,
        inFolder: 0,
      },
    }),
  )
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'greeting')
  const link = await screen.findByRole('link', { name: 'Create a version of it instead' })
  expect(link.getAttribute('href')).toContain('/prompts/new?name=greeting')
})

test('the id of a version leads to a new version of it', async () => {
  const { address, sent } = renderApp(
    '/project/p-search/prompts/new?promptId=id1',
    answers({
      [`POST ${base}/query/prompts`]: {
        folders: [],
        moreFolders: false,
        prompts: [{ name: 'greeting' }],
        cursor: null,
        total: 1,
      },
      [`GET ${base}/prompts/greeting/versions/1`]: shown(1, 'Hello'),
    }),
  )
  await screen.findByRole('heading', { name: 'New version of greeting' })
  expect(address()).toContain('name=greeting&version=1')
  expect(sent).toContainEqual([
    `POST ${base}/query/prompts`,
    { versionId: 'id1', in: 'name', limit: 1 },
  ])
})

test('a first version begins in production, a later one does not', async () => {
  const { unmount } = renderApp('/project/p-search/prompts/new', answers())
  const first = await screen.findByRole('checkbox', { name: /^production/ })
  expect((first as HTMLInputElement).checked).toBe(true)
  unmount()
  renderApp('/project/p-search/prompts/new?name=greeting', answers())
  const later = await screen.findByRole('checkbox', { name: /^production/ })
  expect((later as HTMLInputElement).checked).toBe(false)
})

test('a protected label is not given by members', async () => {
  renderApp(
    '/project/p-search/prompts/new',
    answers({ [`GET ${base}/prompt-labels`]: { labels: [], protected: ['production'] } }),
  )
  const box = (await screen.findByRole('checkbox', { name: /^production/ })) as HTMLInputElement
  expect([box.checked, box.disabled]).toEqual([false, true])
})

test('what is the same is said and not saved', async () => {
  const { user, sent } = renderApp('/project/p-search/prompts/new?name=greeting', answers())
  await user.click(await screen.findByRole('button', { name: 'Review and save' }))
  await screen.findByText('Nothing was saved')
  expect(sent.filter(([request]) => request === `POST ${base}/prompts`)).toEqual([])
})

test('two clicks save one version', async () => {
  const { user, sent } = renderApp(
    '/project/p-search/prompts/new?name=greeting',
    answers({
      [`POST ${base}/prompts`]: () =>
        Response.json({ unchanged: false, prompt: shown(2, 'Hello Ada') }, { status: 201 }),
    }),
  )
  await write('Text', ' Ada')
  await user.click(screen.getByRole('button', { name: 'Review and save' }))
  const save = await screen.findByRole('button', { name: 'Save version' })
  fireEvent.click(save)
  fireEvent.click(save)
  await screen.findByText('Saved as version 2')
  expect(sent.filter(([request]) => request === `POST ${base}/prompts`)).toHaveLength(1)
})

test('if somebody else has saved meanwhile, mine becomes the version after theirs', async () => {
  let saves = 0
  const { user, sent } = renderApp(
    '/project/p-search/prompts/new?name=greeting',
    answers({
      [`POST ${base}/prompts`]: () => {
        saves += 1
        return saves === 1
          ? Response.json(
              {
                error: 'conflict',
                message: 'Somebody else has saved a version meanwhile: the newest one is 2.',
                newest: 2,
                since: [row(2, 'Grace')],
              },
              { status: 409 },
            )
          : Response.json({ unchanged: false, prompt: shown(3, 'Hello Ada') }, { status: 201 })
      },
    }),
  )
  await write('Text', ' Ada')
  await user.click(screen.getByRole('button', { name: 'Review and save' }))
  await user.click(await screen.findByRole('button', { name: 'Save version' }))
  await screen.findByText('Somebody else has saved in the meantime')
  await screen.findByText('Grace')
  await user.click(await screen.findByRole('button', { name: 'Save mine as the next version' }))
  await screen.findByText('Saved as version 3')
  const bodies = sent
    .filter(([request]) => request === `POST ${base}/prompts`)
    .map(([, body]) => body as { baseVersion: number; prompt: string })
  expect(bodies.map(({ baseVersion }) => baseVersion)).toEqual([1, 2])
  expect(bodies.map(({ prompt }) => prompt)).toEqual(['Hello Ada', 'Hello Ada'])
})

test('a viewer is told which role writes prompts', async () => {
  renderApp('/project/p-search/prompts/new', {
    'GET /api/ui/auth/session': signedIn('prompts:read'),
  })
  await screen.findByText(/you need the role Member/)
})

test('references that lead nowhere are marked where they are written, before anything is saved', async () => {
  const insert = (name: string) => `@@@langfusePrompt:name=${name}|label=production@@@`
  const { sent } = renderApp(
    '/project/p-search/prompts/new?name=greeting',
    answers({
      [`GET ${base}/v2/prompts/sign`]: { type: 'text', prompt: 'Bye', version: 4 },
      [`GET ${base}/v2/prompts/talk`]: { type: 'chat', prompt: [], version: 1 },
      [`GET ${base}/v2/prompts/gone`]: () => refusal(404, 'There is no prompt gone.'),
      [`GET ${base}/v2/prompts/later`]: () => refusal(503, 'The server is busy.'),
    }),
  )
  const names = ['sign', 'gone', 'later', 'talk', 'greeting']
  await write('Text', ` ${names.map(insert).join('\n')}`)
  const problems = await screen.findByRole('list', { name: 'Problems' })
  await waitFor(() =>
    expect(
      within(problems)
        .getAllByRole('listitem')
        .map((item) => item.textContent),
    ).toEqual([
      'Line 2: There is no prompt gone.',
      'Line 4: Only text prompts can be inserted; this is chat.',
      'Line 5: A prompt cannot insert itself.',
    ]),
  )
  expect(Array.from(document.querySelectorAll('.cm-problem'), (mark) => mark.textContent)).toEqual(
    ['gone', 'talk', 'greeting'].map(insert),
  )
  // What is not known is only said.
  await screen.findByText('The server is busy.')
  expect(sent).toEqual([])
})
