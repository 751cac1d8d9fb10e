import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
// Loaded here, since loading it takes seconds on a busy machine.
import './CodeMirror'
import { Editor, type EditorProps } from './Editor'

type ExampleProps = Partial<EditorProps> & Pick<EditorProps, 'mode'>

function Example({ value: initial = '', onChange, ...props }: ExampleProps) {
  const [value, setValue] = useState(initial)
  return (
    <>
      <Editor
        label="Prompt"
        value={value}
        onChange={(next) => {
          setValue(next)
          onChange?.(next)
        }}
        {...props}
      />
      <button onClick={() => setValue('from outside')}>Replace</button>
    </>
  )
}

test('it is named and described like a field', async () => {
  render(
    <Example
      mode={{ kind: 'json' }}
      description="As stored"
      error="Is too long"
      value="{}"
      isRequired
    />,
  )
  const field = await screen.findByRole('textbox', { name: 'Prompt' })
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(field.getAttribute('aria-required')).toBe('true')
  const described = (field.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
  expect(described).toEqual([
    'Is too long',
    'As stored',
    'While you type, Tab indents. Press Esc, then Tab, to leave.',
  ])
})

test('problems are listed with their line, and go when they are mended', async () => {
  const { rerender } = render(
    <Editor label="Data" mode={{ kind: 'json' }} value={'{\n  "a": 1,\n}'} />,
  )
  const list = await screen.findByRole('list', { name: 'Problems' })
  expect(list.textContent).toBe('Line 2: A comma may not be the last.')
  rerender(<Editor label="Data" mode={{ kind: 'json' }} value={'{\n  "a": 1\n}'} />)
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Problems' })).toBeNull())
})

test('a text from outside replaces what is shown; line endings stay as they were', async () => {
  const onChange = vi.fn()
  render(<Example mode={{ kind: 'text' }} value={'one\r\ntwo'} onChange={onChange} />)
  const field = await screen.findByRole('textbox')
  await waitFor(() => expect(field.textContent).toBe('onetwo'))
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Replace' }))
  await waitFor(() => expect(field.textContent).toBe('from outside'))
})

test('without a way to change it, it is read-only but can have the focus', async () => {
  render(<Editor label="Stored" mode={{ kind: 'json' }} value="[]" />)
  const field = await screen.findByRole('textbox', { name: 'Stored' })
  expect(field.getAttribute('aria-readonly')).toBe('true')
})
