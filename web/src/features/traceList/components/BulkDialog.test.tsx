import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAlone } from '@/test/renderAlone'
import { BulkDialog } from './BulkDialog'

test('whoever cancels while rows are collected is asked again, and told of no error', async () => {
  const user = renderAlone(
    <BulkDialog
      projectId="p"
      table="traces"
      kind="delete"
      target={{ kind: 'all', selection: {}, asOf: new Date() }}
      count={2}
      onClose={() => {}}
    />,
    ({ signal }) =>
      new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
  )
  await user.type(screen.getByRole('textbox', { name: /^Type 2/ }), '2{Enter}')
  await screen.findByText('Collecting what matches…')
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByRole('textbox', { name: /^Type 2/ })
  expect(screen.queryByText(/abort/)).toBeNull()
})
