import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { endSessionState } from '@/shared/lib/sessionState'
import { CommentForm } from './CommentForm'

function show(keptAs: string, onSend: () => Promise<boolean> = async () => true) {
  const { unmount } = render(
    <CommentForm
      label="Comment"
      action="Send"
      members={[]}
      isPending={false}
      keptAs={keptAs}
      onSend={onSend}
      onCancel={() => undefined}
    />,
  )
  return {
    unmount,
    field: screen.getByRole<HTMLTextAreaElement>('textbox'),
    user: userEvent.setup(),
  }
}

test('an unsent comment is there again after looking elsewhere, until it is sent', async () => {
  const first = show('a')
  await first.user.type(first.field, 'a thought')
  first.unmount()
  const other = show('b')
  expect(other.field.value).toBe('')
  other.unmount()
  const again = show('a')
  expect(again.field.value).toBe('a thought')
  await again.user.click(screen.getByRole('button', { name: 'Send' }))
  expect(again.field.value).toBe('')
  again.unmount()
  expect(show('a').field.value).toBe('')
})

test('a comment that was cancelled is gone', async () => {
  const first = show('e')
  await first.user.type(first.field, 'never mind')
  await first.user.click(screen.getByRole('button', { name: 'Cancel' }))
  first.unmount()
  expect(show('e').field.value).toBe('')
})

test('an unsent comment is not for the next user of the tab', async () => {
  const first = show('c')
  await first.user.type(first.field, 'mine')
  first.unmount()
  endSessionState()
  expect(show('c').field.value).toBe('')
})

test('what is typed while a comment is sent stays', async () => {
  let done: (isSent: boolean) => void = () => undefined
  const { user, field } = show('d', () => new Promise((resolve) => (done = resolve)))
  await user.type(field, 'first')
  await user.click(screen.getByRole('button', { name: 'Send' }))
  await user.type(field, ', second')
  done(true)
  await new Promise((resolve) => setTimeout(resolve))
  expect(field.value).toBe('first, second')
})
