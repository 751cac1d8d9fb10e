import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { Diff } from './Diff'
import { lineDiff } from './model/lineDiff'
// Loaded here, since loading it takes seconds on a busy machine.
import './DiffView'

const same = Array.from({ length: 9 }, (_, at) => `same ${at}`).join('\n')

test('inline and side by side say the same, and the choice is kept', async () => {
  const user = userEvent.setup()
  const { unmount } = render(<Diff label="Output" before="a fox" after="a dog" />)
  const region = await screen.findByRole('region', { name: 'Difference: Output' })
  const rows = () => within(region).getAllByRole('row').slice(1)
  expect(rows().map((row) => row.textContent)).toEqual(['1removed −a fox', '1added +a dog'])
  await user.click(screen.getByRole('radio', { name: 'Side by side' }))
  expect(rows().map((row) => row.textContent)).toEqual(['1removed −a fox1added +a dog'])
  expect([...region.querySelectorAll('del, ins')].map((each) => each.textContent)).toEqual([
    'fox',
    'dog',
  ])
  unmount()
  render(<Diff label="Output" before="a" after="b" />)
  await screen.findByRole('radio', { name: 'Side by side', checked: true })
})

test('lines that are the same are opened by a button', async () => {
  render(<Diff label="Text" before={`${same}\nx`} after={`${same}\ny`} layout="inline" />)
  expect(screen.queryByText('same 0')).toBeNull()
  await userEvent.click(
    await screen.findByRole('button', { name: 'Show 6 lines that are the same' }),
  )
  screen.getByText('same 0')
})

test('what is not shown is said', async () => {
  render(<Diff label="A" before='{"a":1,"b":2}' after='{"b":2,"a":1}' />)
  await screen.findByText('No differences')
  screen.getByText('Names are in another order, which is not shown.')
  render(<Diff label="B" before="a " after="a" layout="inline" />)
  const region = await screen.findByRole('region', { name: 'Difference: B' })
  expect(region.querySelector('del')?.textContent).toBe('·')
  render(<Diff label="C" before={'x'.repeat(500_000)} after="y" />)
  await screen.findByText(/too long to be compared/)
})

test('long texts are compared by a worker, and by the page where there is none', async () => {
  const questions: unknown[] = []
  let answer: (data: unknown) => void = () => {}
  class FakeWorker extends EventTarget {
    constructor() {
      super()
      answer = (data) => this.dispatchEvent(new MessageEvent('message', { data }))
    }
    postMessage(question: unknown) {
      questions.push(question)
    }
    terminate() {}
  }
  const [before, after] = [`${'word '.repeat(3_000)}old`, `${'word '.repeat(3_000)}new`]
  vi.stubGlobal('Worker', FakeWorker)
  const { unmount } = render(<Diff label="Long" before={before} after={after} isVerbatim />)
  await waitFor(() => expect(questions).toEqual([{ before, after }]))
  expect(screen.queryByRole('region', { name: 'Difference: Long' })).toBeNull()
  act(() => answer(lineDiff(before, after)))
  const region = await screen.findByRole('region', { name: 'Difference: Long' })
  expect(region.querySelector('ins')?.textContent).toBe('new')
  unmount()
  vi.stubGlobal('Worker', undefined)
  render(<Diff label="Alone" before={before} after={after} isVerbatim />)
  await screen.findByRole('region', { name: 'Difference: Alone' })
})
