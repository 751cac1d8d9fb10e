import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ErrorPage } from './ErrorPage'

test.each([
  'Failed to fetch dynamically imported module: https://example.com/assets/Palette-1.js',
  'error loading dynamically imported module: https://example.com/assets/Palette-1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/Palette-1.css',
  'Unable to preload code: Importing a module script failed.',
])('code that did not arrive is loaded with the page: %s', (message) => {
  render(<ErrorPage error={new TypeError(message)} reset={vi.fn()} />)
  screen.getByRole('button', { name: 'Reload' })
  expect(screen.queryByText(message)).toBeNull()
})

test('any other error is shown, and can be tried again', () => {
  const reset = vi.fn()
  render(<ErrorPage error={new Error('out of luck')} reset={reset} />)
  screen.getByText('out of luck')
  screen.getByRole('button', { name: 'Try again' }).click()
  expect(reset).toHaveBeenCalledOnce()
})
