import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { emptyQuery } from './model/condition'
import { createQueryLanguage } from './model/language'
import { QueryBar } from './QueryBar'

const datasets = createQueryLanguage([
  {
    name: 'status',
    column: 'status',
    kind: 'option',
    about: 'Status',
    values: ['ACTIVE', 'ARCHIVED'],
  },
  { name: 'split', column: 'split', kind: 'text', about: 'Part of the dataset' },
  { name: 'runs', column: 'runCount', kind: 'number', about: 'Number of runs', unit: 'count' },
])
const values = [{ value: 'train', count: 12 }, { value: 'test' }]

test('the bar knows the fields that it was given, and no others', async () => {
  const onChange = vi.fn()
  function Example() {
    const [column, setColumn] = useState<string>()
    return (
      <QueryBar
        language={datasets}
        onAsk={setColumn}
        suggested={{ column, values: column === 'split' ? values : [] }}
        query={emptyQuery}
        onChange={onChange}
        label="Find items"
      />
    )
  }
  render(<Example />)
  const user = userEvent.setup()
  const bar = screen.getByRole('combobox', { name: 'Find items' })
  const offered = () => screen.queryAllByRole('option').map((option) => option.textContent)
  await user.type(bar, 's')
  expect(offered()).toEqual(['statusStatus', 'splitPart of the dataset', 'runsNumber of runs'])
  await user.keyboard('p{Tab}')
  expect(offered()).toEqual(['train12', 'test'])
  await user.keyboard('tr{Tab}status:active runs:>1k ')
  expect(bar).toHaveProperty('value', 'split:=train status:active runs:>1k ')
  await user.keyboard('{Escape}{Enter}')
  expect(onChange.mock.lastCall).toEqual([
    {
      conditions: [
        { type: 'stringOptions', column: 'split', operator: 'any of', value: ['train'] },
        { type: 'stringOptions', column: 'status', operator: 'any of', value: ['ACTIVE'] },
        { type: 'number', column: 'runCount', operator: '>', value: 1000 },
      ],
      search: '',
    },
  ])
  await user.clear(bar)
  await user.type(bar, 'level:ERROR ')
  screen.getByText(/There is no field “level”/)
})

test('underlines stand below their words in a text that has been scrolled', async () => {
  const { container } = render(
    <QueryBar language={datasets} query={emptyQuery} onChange={() => {}} />,
  )
  const bar = screen.getByRole('combobox')
  bar.scrollLeft = 120
  await userEvent.type(bar, 'runs:many {Escape}')
  const underlines = container.querySelector('.decoration-wavy')?.parentElement
  expect(underlines?.scrollLeft).toBe(120)
})
