import { afterEach, expect, test, vi } from 'vitest'
import { projectApi } from './client'

afterEach(() => vi.unstubAllGlobals())

test('the public API of a project is asked for below /api/ui, with the header that proves the origin', async () => {
  const asked: Request[] = []
  vi.stubGlobal('fetch', (request: Request) => {
    asked.push(request)
    return Promise.resolve(Response.json({ data: [] }))
  })
  await projectApi('a/b').GET('/v2/observations', { params: { query: { limit: 1 } } })
  await projectApi('p').GET('/v2/prompts/{promptName}', {
    params: { path: { promptName: 'x/y#z' } },
  })
  expect(asked.map((request) => new URL(request.url).pathname)).toEqual([
    '/api/ui/projects/a%2Fb/v2/observations',
    '/api/ui/projects/p/v2/prompts/x%2Fy%23z',
  ])
  expect(asked[0]?.headers.get('X-Almanac-CSRF')).toBe('1')
})

test('a body is sent as it is: browsers refuse streams over HTTP/1.1', async () => {
  const bodies: unknown[] = []
  class Recorded extends Request {
    constructor(input: string | URL | Request, init?: RequestInit) {
      super(input, init)
      bodies.push(init instanceof Request ? 'a request' : init?.body)
    }
  }
  vi.stubGlobal('Request', Recorded)
  vi.stubGlobal('fetch', () => Promise.resolve(Response.json({})))
  await projectApi('p').POST('/score-configs', {
    body: { name: 'quality', dataType: 'BOOLEAN' },
  })
  expect(bodies).toEqual(['{"name":"quality","dataType":"BOOLEAN"}'])
})
