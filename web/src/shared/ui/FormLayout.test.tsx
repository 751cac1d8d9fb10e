import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Button } from './Button'
import { ConfirmDialog } from './ConfirmDialog'
import { FormLayout } from './FormLayout'
import { TextField } from './TextField'

test('a form is not sent again while it is under way', () => {
  const onSubmit = vi.fn()
  const form = (isPending: boolean) => (
    <FormLayout
      onSubmit={onSubmit}
      actions={
        <Button type="submit" isPending={isPending}>
          Send
        </Button>
      }
    >
      <TextField label="Email" value="" onChange={() => {}} />
    </FormLayout>
  )
  const { rerender } = render(form(false))
  // Browsers do this on Enter in the only text field, even without a submit button.
  const press = () => fireEvent.submit(screen.getByRole('textbox').closest('form') ?? document)
  press()
  expect(onSubmit).toHaveBeenCalledTimes(1)
  rerender(form(true))
  press()
  expect(onSubmit).toHaveBeenCalledTimes(1)
  rerender(form(false))
  press()
  expect(onSubmit).toHaveBeenCalledTimes(2)
})

test('a dialog inside a form sends only itself', async () => {
  const onSubmit = vi.fn()
  const onConfirm = vi.fn()
  render(
    <FormLayout onSubmit={onSubmit} actions={<Button type="submit">Save</Button>}>
      <ConfirmDialog
        title="Remove it?"
        action="Remove"
        isOpen
        onClose={() => {}}
        onConfirm={onConfirm}
      >
        It is gone then.
      </ConfirmDialog>
    </FormLayout>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(onConfirm).toHaveBeenCalledOnce()
  expect(onSubmit).not.toHaveBeenCalled()
})
