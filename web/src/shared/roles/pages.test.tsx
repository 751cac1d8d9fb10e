import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn } from '@/test/sessions'

const base = '/api/ui/projects/p-search'

test.each(['traces', 'observations', 'settings/models', 'settings/models/m1'])(
  'an annotator is told which role opens %s, and nothing is requested',
  async (page) => {
    const asked: string[] = []
    renderApp(`/project/p-search/${page}`, {
      'GET /api/ui/auth/session': signedIn('queues:annotate'),
      ...Object.fromEntries(
        [
          'GET /views',
          'POST /query/traces',
          'POST /query/observations',
          'GET /models',
          'GET /models/m1',
          'GET /models/unpriced',
        ].map((each) => {
          const [method, path] = each.split(' ')
          return [
            `${method} ${base}${path}`,
            () => {
              asked.push(each)
              return refusal(403, 'Your role does not allow it')
            },
          ]
        }),
      ),
    })
    await screen.findByText('Your role does not allow this')
    screen.getByText(/you need the role Viewer/)
    expect(asked).toEqual([])
  },
)

test.each(['traces', 'observations'])('readers select %s to compare two traces', async (list) => {
  const select = (n: number) => screen.getByRole('checkbox', { name: `Select row ${n}` })
  const row = {
    id: 'root',
    traceId: 't1',
    type: 'SPAN',
    name: 'first',
    traceName: 'first',
    level: 'DEFAULT',
    startTime: '2026-11-16T12:00:00.000Z',
    environment: 'default',
    tags: [],
    metadata: {},
    usage: { input: 0, output: 0, total: 0 },
    scores: {},
    totalTokens: 0,
    observations: 1,
    errors: 0,
  }
  const { user } = renderApp(`/project/p-search/${list}`, {
    'GET /api/ui/auth/session': signedIn('traces:read'),
    [`GET ${base}/views`]: { views: [] },
    [`POST ${base}/query/${list}`]: {
      rows: [row, { ...row, id: 'other', traceId: 't2' }],
      cursor: null,
      searchedBack: null,
    },
  })
  await screen.findAllByText('first')
  await user.click(select(1))
  expect(screen.queryByRole('link', { name: 'Compare' })).toBeNull()
  await user.click(select(2))
  expect(screen.getByRole('link', { name: 'Compare' })).toBeDefined()
  expect(screen.queryByRole('button', { name: /^(Score|Delete|Tag or bookmark)$/ })).toBeNull()
})
