import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Detail, TextField } from '../model/wire'
import { TextValue } from './TextValue'

test('a whole text is loaded again when its observation has changed, without a gap, and only then', async () => {
  let stored = 'begin and the middle'
  const asked: string[] = []
  vi.stubGlobal('fetch', async ({ url, headers }: Request) => {
    asked.push(url.replace(/.*\/io\/|\?.*/g, ''))
    return new Response(stored.slice(Number(/\d+/.exec(headers.get('Range') ?? '0')?.[0])))
  })
  const client = new QueryClient()
  const show = (updatedAt: string, field: TextField = 'output', isCut = true) => (
    <QueryClientProvider client={client}>
      <TextValue
        projectId="p"
        detail={
          {
            id: 'o1',
            traceId: 't1',
            updatedAt,
            texts: { output: stored.slice(0, 5), input: 'other' },
            cut: isCut ? { output: { truncated: true, bytes: stored.length } } : {},
          } as Detail
        }
        field={field}
        kind="output"
        isWhole
      />
    </QueryClientProvider>
  )
  const { rerender } = render(show('first'))
  await screen.findByText('begin and the middle')
  rerender(show('first'))
  rerender(show('first', 'input'))
  screen.getByText('other')
  rerender(show('first'))
  screen.getByText('begin and the middle')
  expect(asked).toEqual(['output'])

  stored = 'other, with an end'
  rerender(show('second'))
  screen.getByText('begin and the middle')
  await screen.findByText('other, with an end')
  expect(asked).toEqual(['output', 'output'])

  stored = 'short'
  rerender(show('third', 'output', false))
  screen.getByText('short')
  expect(asked).toHaveLength(2)
})
