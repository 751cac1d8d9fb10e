import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAlone } from '@/test/renderAlone'
import { refusal } from '@/test/renderApp'
import { ScoreList } from './ScoreList'

const range = { from: new Date('2026-11-16T00:00Z'), to: new Date('2026-11-17T00:00Z') }

test('scores that could not be loaded are not taken for none', async () => {
  let isBroken = true
  const user = renderAlone(<ScoreList projectId="p" range={range} environment={[]} />, async () =>
    isBroken ? refusal(400, 'out of luck') : Response.json({ data: [] }),
  )
  await screen.findByText('out of luck')
  expect(screen.queryByText('Nothing in this time range.')).toBeNull()
  isBroken = false
  // Numbers and categories are two queries.
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await screen.findByText('Nothing in this time range.')
})
