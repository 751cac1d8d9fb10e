import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { projectKey, scopesOfScores, traceKey } from '@/shared/api'
import { useDeleteScores, usePutScore } from './useScoreChange'

const score = {
  name: 'n',
  value: 1,
  traceId: 't1',
  environment: 'default',
  source: 'ANNOTATION',
} as const
const shown = {
  scores: projectKey('p', 'scores', 'list'),
  rows: projectKey('p', 'rows', 'list', 'traces'),
  trace: traceKey('p', 't1', 'scores'),
  session: projectKey('p', 'entities', 'session', 's1', 'scores'),
  metrics: projectKey('p', 'metrics'),
}
const others = {
  media: projectKey('p', 'media', 'm1'), // a new signed URL would load the image again
  models: projectKey('p', 'models'),
  configs: projectKey('p', 'scoreConfigs'),
  elsewhere: projectKey('q', 'scores', 'list'),
}

test('a changed score refreshes what shows scores, and nobody waits for it', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ id: 's' }))
  const client = new QueryClient()
  // Whoever asks again gets no answer.
  for (const queryKey of [...Object.values(shown), ...Object.values(others)]) {
    client.setQueryDefaults(queryKey, { queryFn: () => new Promise(() => {}) })
    client.setQueryData(queryKey, {})
  }
  const hooks = renderHook(() => ({ put: usePutScore('p'), remove: useDeleteScores('p') }), {
    wrapper: ({ children }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  })
  const outdated = () =>
    Object.entries({ ...shown, ...others })
      .filter(([, key]) => client.getQueryState(key)?.isInvalidated)
      .map(([name]) => name)
  await act(() => hooks.result.current.put.mutateAsync(score))
  expect(outdated()).toEqual(Object.keys(shown))
  for (const key of Object.values(shown)) client.setQueryData(key, {})
  await act(() => hooks.result.current.remove.mutateAsync(['s']))
  expect(outdated()).toEqual(Object.keys(shown))
  expect(scopesOfScores).toHaveLength(Object.keys(shown).length)
})
