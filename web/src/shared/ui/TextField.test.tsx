import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { TextField } from './TextField'

test('a field shows what the form says is wrong, and never what the browser thinks', async () => {
  const user = userEvent.setup()
  const { rerender } = render(<TextField label="E-mail" type="email" isRequired />)
  const field = screen.getByRole('textbox', { name: 'E-mail' })
  await user.type(field, 'nobody')
  await user.tab()
  expect(field.getAttribute('aria-invalid')).toBeNull()
  rerender(<TextField label="E-mail" type="email" isRequired error="Enter an e-mail address" />)
  expect(field.getAttribute('aria-invalid')).toBe('true')
  screen.getByText('Enter an e-mail address')
})
