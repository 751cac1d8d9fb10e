import { ask, expect, owner, settled, test } from '../test'
import { startServer } from '../server'
import { expectFocusShown, tabTo } from './focus'

test('from the set-up to the sign-out without a mouse', async ({ page }) => {
  test.setTimeout(150_000)
  const server = await startServer()
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const type = (text: string) => page.keyboard.type(text)
  const palette = async (text: string) => {
    // From the shell, which handles the keys: the previous page has a heading, too.
    await expect(button('Search and go anywhere')).toBeVisible()
    await settled(page)
    await press('Control+k')
    await expect(page.getByPlaceholder('Page, project, action, or any id')).toBeFocused()
    await type(text)
  }

  // Setup: the first field has focus.
  await page.goto(server.setUpAddress)
  await expect(page.getByLabel('Your name')).toBeFocused()
  await type(owner.name)
  await press('Tab')
  await type(owner.email)
  await press('Tab')
  await type(owner.password)
  await press('Enter')
  await page.waitForURL(/\/project\//)

  // A key, by way of the palette.
  await palette('api keys')
  await press('Enter')
  await page.waitForURL(/settings\/api-keys/)
  await tabTo(page, button('New key'))
  await press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Note')).toBeFocused()
  await press('Escape')
  await expect(button('New key')).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Note')).toBeFocused()
  await type('made by hand')
  await tabTo(page, button('Create key'))
  await press('Enter')
  await tabTo(page, button('I have stored it'))
  await press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(button('New key')).toBeFocused()
  await expectFocusShown(page)
  // Revoked again: the row is gone, the focus is not lost.
  await tabTo(page, button('Revoke made by hand'))
  await press('Enter')
  await press('Escape')
  await expect(button('Revoke made by hand')).toBeFocused()
  await press('Enter')
  await tabTo(page, button('Revoke key'))
  await press('Enter')
  await expect(button('Revoke made by hand')).toHaveCount(0)
  await expectFocusShown(page)

  // An invitation.
  const cookies = await page.context().cookies()
  const session = await ask<{ organizations: { id: string; name: string }[] }>(
    { url: server.url, cookies },
    'GET',
    '/api/ui/auth/session',
  )
  await palette(session.organizations[0]?.name ?? '')
  await expect(page.getByRole('menuitem', { name: /Organization$/ })).toBeVisible()
  while (
    !(await page.getByRole('menuitem', { name: /Organization$/ }).getAttribute('data-focused'))
  )
    await press('ArrowDown')
  await press('Enter')
  await page.waitForURL(/\/organization\//)
  await tabTo(page, page.getByRole('link', { name: 'Settings', exact: true }))
  await press('Enter')
  await tabTo(page, page.getByRole('link', { name: 'Invitations' }))
  await press('Enter')
  await tabTo(page, button('Invite'))
  await press('Enter')
  await expect(page.getByRole('dialog').getByLabel('Email')).toBeFocused()
  await type('grace@example.com')
  await tabTo(page, button(/Role in the organization/))
  await press('Enter')
  await type('Viewer')
  await press('Enter')
  await expect(button(/Role in the organization/)).toBeFocused()
  await tabTo(page, button('Create invitation'))
  await press('Enter')
  await expect(page.getByRole('dialog').locator('code')).toBeVisible()
  const link = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  await tabTo(page, button('Done'))
  await press('Enter')
  await expect(button('Invite')).toBeFocused()
  const accept = `/api/ui/invitations/${new URL(link).pathname.split('/').at(-1)}/accept`
  const grace = { name: 'Grace Hopper', password: 'nanoseconds matter' }
  await ask({ url: server.url, cookies: [] }, 'POST', accept, grace)

  // Another role.
  await tabTo(page, page.getByRole('link', { name: 'Members' }), 'Shift+Tab')
  await press('Enter')
  await tabTo(page, button(/Grace Hopper.*’s role/))
  await press('Enter')
  await type('Admin')
  await press('Enter')
  await expect(page.getByText('Grace Hopper is now Admin')).toBeVisible()
  await expect(button(/Grace Hopper.*’s role/)).toBeFocused()
  // A dialog opened from a menu returns focus to what opened the menu.
  await tabTo(page, button('Actions for Grace Hopper'))
  await press('Enter', 'ArrowDown', 'Enter')
  await expect(page.getByRole('alertdialog', { name: /^Remove/ })).toBeVisible()
  await expectFocusShown(page)
  await press('Escape')
  await expect(button('Actions for Grace Hopper')).toBeFocused()
  await press('Enter', 'ArrowDown', 'Enter')
  await tabTo(page, button('Remove member'))
  await press('Enter')
  await expect(button('Actions for Grace Hopper')).toHaveCount(0)
  await expectFocusShown(page)

  // Signing out.
  await tabTo(page, button(/Account of/), 'Shift+Tab')
  await press('Enter', 'End', 'Enter')
  await page.waitForURL(/\/auth\/sign-in/)
  await expect(page.getByLabel('Email')).toBeFocused()
  await server.stop()
})
