import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { vi } from 'vitest'

/** Renders a component without the application around it; `fetch` handles its requests. */
export function renderAlone(component: ReactNode, fetch: (request: Request) => Promise<Response>) {
  vi.stubGlobal('fetch', fetch)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<QueryClientProvider client={client}>{component}</QueryClientProvider>)
  return userEvent.setup({ delay: null })
}
