import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { keepPageWithoutCode } from '@/shared/lib/missingCode'
import { MissingCode } from './MissingCode'

test('while the server is away, reloading says so and keeps the page', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  render(<MissingCode />)
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  await screen.findByText(/still does not answer/)
})

test('the router does not take failed code for a reason to load the document again', () => {
  keepPageWithoutCode()
  const error = new TypeError('Failed to fetch dynamically imported module: /assets/a.js')
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  window.dispatchEvent(Object.assign(new Event('vite:preloadError'), { payload: error }))
  expect(error.message).toBe(
    'Unable to preload code: Failed to fetch dynamically imported module: /assets/a.js',
  )
})
