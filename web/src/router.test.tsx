import {
  focusManager,
  onlineManager,
  QueryClientProvider,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { renderHook, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { recallKeys, rememberKeys } from '@/features/keys'
import { refusal, renderApp } from '@/test/renderApp'
import { signedIn, signedOut } from '@/test/sessions'
import { createQueryClient } from './router'
import { sessionKey } from '@/shared/api'
import { toast } from '@/shared/ui'
import { toastQueue } from '@/shared/ui/toast'

const keys = { publicKey: 'pk', secretKey: 'sk' }

test('secret keys do not outlive the session of whoever made them', async () => {
  let session: object = signedIn()
  const { user } = renderApp('/account/settings', {
    'GET /api/ui/auth/session': () => Response.json(session),
    'POST /api/ui/auth/sign-out': () => {
      session = signedOut
      return new Response(null, { status: 204 })
    },
  })
  await screen.findByRole('heading', { name: 'Account' })
  rememberKeys('p-search', keys)
  await user.keyboard('{Control>}k{/Control}')
  await user.type(
    await screen.findByPlaceholderText('Page, project, action, or any id'),
    'sign out',
  )
  await user.click(await screen.findByRole('menuitem', { name: /Sign out/ }))
  await screen.findByRole('button', { name: 'Sign in' })
  expect(recallKeys('p-search')).toBeUndefined()
})

test('what one user loaded is not there for the next, however the session ended', () => {
  const client = createQueryClient()
  const project = ['project', 'p', 'rows']
  const arrive = (id: string | undefined) =>
    client.setQueryData(sessionKey, { user: id === undefined ? null : { id } })
  arrive('ada')
  rememberKeys('p', keys)
  client.setQueryData(project, 'rows of Ada')
  toast('The export of Ada failed', { tone: 'danger' })
  arrive('ada') // loaded again
  expect(recallKeys('p')).toEqual(keys)
  expect(client.getQueryData(project)).toBe('rows of Ada')
  expect(toastQueue.visibleToasts).toHaveLength(1)
  arrive('grace')
  expect(recallKeys('p')).toBeUndefined()
  expect(client.getQueryData(project)).toBeUndefined()
  expect(toastQueue.visibleToasts).toHaveLength(0)
})

test('a failed start can be tried again', async () => {
  let isDown = true
  const { user } = renderApp('/account/settings', {
    'GET /api/ui/auth/session': () =>
      isDown ? refusal(400, 'the server is out of order') : Response.json(signedIn()),
  })
  await screen.findByText('the server is out of order')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => screen.getByRole('heading', { name: 'Account' }))
})

test('pages of a list stay as they are when somebody comes back to the tab; the rest is loaded again', async () => {
  const list = vi.fn(async () => ['row'])
  const detail = vi.fn(async () => 'detail')
  const client = createQueryClient()
  const stale = { staleTime: 0 }
  const { result } = renderHook(
    () => ({
      list: useInfiniteQuery({
        queryKey: ['list'],
        queryFn: list,
        initialPageParam: 0,
        getNextPageParam: () => undefined,
        ...stale,
      }),
      detail: useQuery({ queryKey: ['detail'], queryFn: detail, ...stale }),
    }),
    {
      wrapper: ({ children }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  )
  await waitFor(() =>
    expect(result.current.list.isSuccess && result.current.detail.isSuccess).toBe(true),
  )
  focusManager.setFocused(false)
  focusManager.setFocused(true)
  await waitFor(() => expect(detail).toHaveBeenCalledTimes(2))
  await waitFor(() => expect(client.isFetching()).toBe(0))
  onlineManager.setOnline(false)
  onlineManager.setOnline(true)
  await waitFor(() => expect(detail).toHaveBeenCalledTimes(3))
  focusManager.setFocused(undefined)
  expect(list).toHaveBeenCalledTimes(1)
})
