import { render, screen } from '@testing-library/react'
import { test } from 'vitest'
import { LivePill } from './LivePill'

test.each([
  [2, false, '2 new'],
  [2, true, '2+ new'],
  [0, true, 'Load skipped data'],
])('%i rows, more than those: %s', (count, isMore, name) => {
  render(
    <LivePill
      count={count}
      isMore={isMore}
      connection={{ status: 'open' }}
      canStream
      onShow={() => {}}
    />,
  )
  screen.getByRole('button', { name })
})
