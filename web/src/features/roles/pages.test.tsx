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
