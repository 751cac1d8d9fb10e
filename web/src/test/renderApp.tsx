import { createMemoryHistory } from '@tanstack/react-router'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { vi } from 'vitest'
import { App } from '../App'
import { createAppRouter, createQueryClient } from '../router'

/** The server's responses by method and path: JSON, or a function of the request body and the search parameters. */
export type Answers = Record<
  string,
  object | ((body: unknown, search: URLSearchParams) => Response)
>

/**
 * Renders the application at an address with a mocked server. `sent` collects the requests that change something, by
 * method and path.
 */
export function renderApp(address: string, answers: Answers) {
  const sent: [string, unknown][] = []
  vi.stubGlobal('fetch', async (asking: Request | string, init?: RequestInit) => {
    const request = typeof asking === 'string' ? new Request(asking, init) : asking
    const { pathname, searchParams } = new URL(request.url)
    const asked = `${request.method} ${pathname}`
    const text = await request.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    if (request.method !== 'GET') sent.push([asked, body])
    const answer = answers[asked]
    if (answer === undefined) return refusal(404, `nothing is at ${asked}`)
    return typeof answer === 'function' ? answer(body, searchParams) : Response.json(answer)
  })
  // There is no layout in tests; lists show the rows that fit.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(800)
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  const { unmount } = render(<App queryClient={queryClient} router={router} />)
  return {
    unmount,
    sent,
    user: userEvent.setup({ delay: null }),
    address: () => router.state.location.href,
    back: () => router.history.back(),
  }
}

/** An error response of the server, with messages for individual fields. */
export function refusal(
  status: number,
  message: string,
  issues: Record<string, string> = {},
): Response {
  const listed = Object.entries(issues).map(([field, text]) => ({ path: [field], message: text }))
  return Response.json({ error: 'refused', message, issues: listed }, { status })
}
