import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { TextField } from './TextField'

test('a field shows what the form says is wrong, and never what the browser thinks', async () => {
  const user = userEvent.setup()
  const { rerender } = render(<TextField label="Email" type="email" isRequired />)
  const field = screen.getByRole('textbox', { name: 'Email' })
  await user.type(field, 'nobody')
  await user.tab()
  expect(field.getAttribute('aria-invalid')).toBeNull()
  rerender(<TextField label="Email" type="email" isRequired error="Enter an email address" />)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  screen.getByText('Enter an email address')
})
