import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { ConfirmDialog } from './ConfirmDialog'

test('the button works only after the name was typed', async () => {
  const onConfirm = vi.fn()
  render(
    <ConfirmDialog
      title="Delete project"
      isOpen
      onClose={() => {}}
      onConfirm={onConfirm}
      action="Delete"
      typed="production"
    >
      Gone for good.
    </ConfirmDialog>,
  )
  expect(screen.getByRole('alertdialog', { name: 'Delete project' })).toBeTruthy()
  await userEvent.type(screen.getByRole('textbox'), 'producti{Enter}')
  expect(onConfirm).not.toHaveBeenCalled()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled).toBe(true)
  await userEvent.type(screen.getByRole('textbox'), 'on')
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(onConfirm).toHaveBeenCalledOnce()
})

test('Esc closes, but not while it is under way', async () => {
  const onClose = vi.fn()
  const dialog = (isPending: boolean) => (
    <ConfirmDialog
      title="Delete"
      isOpen
      isPending={isPending}
      onClose={onClose}
      onConfirm={() => {}}
      action="Delete"
    >
      Gone for good.
    </ConfirmDialog>
  )
  const { rerender } = render(dialog(true))
  await userEvent.keyboard('{Escape}')
  expect(onClose).not.toHaveBeenCalled()
  rerender(dialog(false))
  await userEvent.keyboard('{Escape}')
  expect(onClose).toHaveBeenCalledOnce()
})
