import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { JsonViewer } from './JsonViewer'

it('goes to what a search finds only in the rest of a value, once that has arrived', async () => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
  const user = userEvent.setup({ delay: null })
  const { rerender } = render(<JsonViewer text={'{"id": 1, "steps": [1, 2'} label="Output" isCut />)
  await user.type(screen.getByRole('searchbox', { name: 'Search Output' }), 'needle')
  expect(screen.getByRole('status').textContent).not.toContain('1 of')
  rerender(<JsonViewer text={'{"id": 1, "steps": [1, 2], "end": "a needle"}'} label="Output" />)
  expect(screen.getByRole('status').textContent).toBe('1 of 1')
  screen.getByText('$.end')
})
