import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/shared/api'
import { ConfirmChange } from './ConfirmChange'

function show(remove: (id: string) => Promise<unknown>) {
  const onDone = vi.fn()
  function List() {
    const [removed, setRemoved] = useState<string>()
    const change = useMutation({ mutationFn: remove })
    return (
      <>
        <button onClick={() => setRemoved('k1')}>Remove k1</button>
        <ConfirmChange
          title="Remove the key?"
          action="Remove"
          change={change}
          variables={removed}
          onClose={() => setRemoved(undefined)}
          onDone={onDone}
        >
          It is gone then.
        </ConfirmChange>
      </>
    )
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <List />
    </QueryClientProvider>,
  )
  return { onDone, user: userEvent.setup() }
}

test('nothing is changed before the person agrees', async () => {
  const remove = vi.fn(async () => undefined)
  const { onDone, user } = show(remove)
  await user.click(screen.getByRole('button', { name: 'Remove k1' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(remove).not.toHaveBeenCalled()

  await user.click(screen.getByRole('button', { name: 'Remove k1' }))
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await vi.waitFor(() => expect(onDone).toHaveBeenCalledOnce())
  expect(remove.mock.calls.map(([id]: unknown[]) => id)).toEqual(['k1'])
  expect(screen.queryByRole('alertdialog')).toBeNull()
})

test('why it could not be done is said in the dialog, and forgotten when it is closed', async () => {
  const { onDone, user } = show(async () => {
    throw new ApiError(403, 'forbidden', 'Only owners may do that', [])
  })
  await user.click(screen.getByRole('button', { name: 'Remove k1' }))
  await user.click(screen.getByRole('button', { name: 'Remove' }))
  await screen.findByText('Only owners may do that')
  expect(onDone).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await user.click(screen.getByRole('button', { name: 'Remove k1' }))
  expect(screen.queryByText('Only owners may do that')).toBeNull()
})
