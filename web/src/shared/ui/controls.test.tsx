import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { Chips } from './Chips'
import { FileDrop } from './FileDrop'
import { MultiSelect } from './MultiSelect'
import { NumberField } from './NumberField'
import { toast } from './toast'
import { Toasts } from './Toasts'

test('chips are removed by Delete and by their button', async () => {
  const onRemove = vi.fn()
  render(
    <Chips
      label="Tags"
      chips={[
        { id: 'a,b', label: 'a,b' },
        { id: 'c', label: 'c' },
      ]}
      onRemove={onRemove}
    />,
  )
  const user = userEvent.setup()
  await user.tab()
  await user.keyboard('{Delete}')
  expect(onRemove).toHaveBeenLastCalledWith('a,b')
  await user.click(screen.getAllByRole('button')[1] as HTMLElement)
  expect(onRemove).toHaveBeenLastCalledWith('c')
})

test('several options are found by typing and chosen by keys', async () => {
  const options = ['ant', 'bee', 'beetle'].map((id) => ({ id, label: id }))
  function Example() {
    const [value, setValue] = useState<string[]>(['ant'])
    return <MultiSelect label="Animals" options={options} value={value} onChange={setValue} />
  }
  render(<Example />)
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: /^Animals/ }))
  await user.type(await screen.findByRole('searchbox'), 'bee')
  await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(2))
  await user.click(screen.getByRole('option', { name: 'beetle' }))
  // What is around an open list is hidden from screen readers.
  const chips = screen.getAllByRole('row', { hidden: true })
  expect(chips.map((chip) => chip.textContent)).toEqual(['ant', 'beetle'])
  // The first one clears what was typed.
  await user.keyboard('{Escape}{Escape}')
  await waitFor(() => expect(screen.queryByRole('searchbox')).toBeNull())
  expect(screen.getAllByRole('row').map((chip) => chip.textContent)).toEqual(['ant', 'beetle'])
})

test('a number goes up and down by keys, within its limits', async () => {
  const onChange = vi.fn()
  render(
    <NumberField label="Runs" defaultValue={9} minValue={1} maxValue={10} onChange={onChange} />,
  )
  const user = userEvent.setup()
  await user.click(screen.getByRole('textbox', { name: 'Runs' }))
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(onChange.mock.calls).toEqual([[10]])
})

test('a file that cannot be used is refused before it is read', async () => {
  const onFile = vi.fn()
  const { container } = render(
    <FileDrop label="Items" accepts={['.csv']} maxBytes={5_000_000} onFile={onFile} />,
  )
  const input = container.querySelector('input') as HTMLInputElement
  const user = userEvent.setup({ applyAccept: false })
  await user.upload(input, new File(['x'], 'items.exe'))
  await screen.findByText('“items.exe” is none of .csv.')
  const good = new File(['a,b'], 'Items.CSV')
  await user.upload(input, good)
  expect(onFile).toHaveBeenCalledWith(good)
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a toast has an action, which closes it', async () => {
  const onAction = vi.fn()
  render(<Toasts />)
  toast('The export is ready', { action: { label: 'Show exports', onAction } })
  await userEvent.click(await screen.findByRole('button', { name: 'Show exports' }))
  expect(onAction).toHaveBeenCalledOnce()
  await waitFor(() => expect(screen.queryByText('The export is ready')).toBeNull())
})
