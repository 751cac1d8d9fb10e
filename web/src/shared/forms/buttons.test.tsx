import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ConfirmDialog } from '@/shared/ui'
import { SubmitForm } from './SubmitForm'

const nothing = () => undefined
/** Buttons without a text close the dialog. */
const labels = () =>
  screen
    .getAllByRole('button')
    .flatMap(({ textContent }) => (textContent === '' ? [] : textContent))

test('in forms and confirmations the button that does it comes last', () => {
  const form = render(
    <SubmitForm action="Save" onSubmit={nothing} onClose={nothing}>
      Fields
    </SubmitForm>,
  )
  expect(labels()).toEqual(['Cancel', 'Save'])
  form.unmount()
  render(
    <ConfirmDialog title="Delete it?" action="Delete" isOpen onClose={nothing} onConfirm={nothing}>
      Gone.
    </ConfirmDialog>,
  )
  expect(labels()).toEqual(['Cancel', 'Delete'])
})
