import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderApp } from '@/test/renderApp'
import { signedOut } from '@/test/sessions'

const forgot = 'POST /api/ui/auth/forgot-password'

async function show(mail: boolean) {
  const app = renderApp('/auth/forgot-password', {
    'GET /api/ui/auth/session': { ...signedOut, mail },
    [forgot]: () => new Response(null, { status: 202 }),
  })
  await screen.findByRole('heading', { level: 1 })
  return app
}

test('with mail a link is asked for, and whether there is an account is not told', async () => {
  const { sent, user } = await show(true)
  await user.click(screen.getByRole('button', { name: 'Send the link' }))
  expect(sent).toEqual([])
  await user.click(screen.getByLabelText('Email'))
  await user.paste('ada@example.com ')
  await user.click(screen.getByRole('button', { name: 'Send the link' }))
  await screen.findByText(/If there is an account with this address/)
  expect(sent).toEqual([[forgot, { email: 'ada@example.com' }]])
})

test('without mail the page says whom to ask', async () => {
  await show(false)
  screen.getByText(/This server sends no email/)
  screen.getByText('almanac users set-password')
  expect(screen.queryByRole('textbox')).toBeNull()
})
