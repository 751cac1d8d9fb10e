import { ask, expect, expectAccessible, open, owner, signIn, takePicture, test } from '../test'

test('invite a viewer, who joins and sees what viewers see; lower their role while they look', async ({
  page,
  browser,
  server,
}) => {
  await open(page, server, `/organization/${server.organization}/settings/invitations`)
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Email').fill('grace@example.com')
  await page.getByRole('button', { name: /Role in the organization/ }).click()
  await page.getByRole('option', { name: /viewer/i }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create invitation' }).click()
  await expect(page.getByRole('dialog').getByText('Link', { exact: true })).toBeVisible()
  const link = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  expect(new URL(link).origin).toBe(server.url)
  await page.getByRole('button', { name: 'Done' }).click()

  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(link)
  await expect(guest.getByText(owner.name)).toBeVisible()
  await expectAccessible(guest)
  await guest.getByLabel('Your name').fill('Grace Hopper')
  await guest.getByLabel('Password', { exact: true }).fill('nanoseconds matter')
  await guest.getByRole('button', { name: 'Create account and join' }).click()
  await guest.waitForURL(/\/organization\//)

  // The link works once.
  await guest.goto(link)
  await expect(guest.getByText(/was used or revoked, or has expired/)).toBeVisible()

  // Viewers read, but see no keys.
  await guest.goto(`${server.url}/project/${server.project}/settings/api-keys`)
  await expect(guest.getByText(/role/i).first()).toBeVisible()
  await expect(guest.getByRole('button', { name: 'New key' })).toHaveCount(0)
  const keys = await guest.evaluate(
    async (project) => (await fetch(`/api/ui/projects/${project}/apiKeys`)).status,
    server.project,
  )
  expect(keys).toBe(403)

  // Removing a role takes effect immediately, even in open tabs.
  const user = await guest.evaluate(async () => {
    const session = await (await fetch('/api/ui/auth/session')).json()
    return (session as { user: { id: string } }).user.id
  })
  const removed = await page.evaluate(
    async ([organization, id]) =>
      (
        await fetch(`/api/ui/organizations/${organization}/members/${id}`, {
          method: 'DELETE',
          headers: { 'X-Almanac-CSRF': '1' },
        })
      ).status,
    [server.organization, user] as const,
  )
  expect(removed).toBe(204)
  const read = await guest.evaluate(
    async (project) => (await fetch(`/api/ui/projects/${project}/v2/observations`)).status,
    server.project,
  )
  expect([401, 404]).toContain(read)
  await context.close()
})

test('an invitation that somebody opens who is signed in with another account', async ({
  page,
  server,
}) => {
  const guest = { email: 'katherine@example.com', password: 'the numbers are right' }
  const { id } = await ask<{ id: string }>(server, 'POST', '/api/ui/organizations', {
    name: 'Second',
  })
  const invite = async (organization: string) => {
    const path = `/api/ui/organizations/${organization}/invitations`
    const body = { email: guest.email, role: 'MEMBER' }
    return (await ask<{ link: string }>(server, 'POST', path, body)).link
  }
  // A separate session, so that the others are not affected.
  const asOwner = async (link: string) => {
    await page.context().clearCookies()
    await page.goto(`${server.url}/account/settings`)
    await signIn(page)
    await page.waitForURL(`${server.url}/account/settings`)
    await page.goto(link)
    await expect(page.getByText(`You are signed in as ${owner.email}.`)).toBeVisible()
  }

  // The e-mail address has no account yet: the new account replaces the one signed in.
  await asOwner(await invite(server.organization))
  await takePicture(page, 'invitation-new-account')
  await page.getByLabel('Your name').fill('Katherine Johnson')
  await page.getByLabel('Password', { exact: true }).fill(guest.password)
  await page.getByRole('button', { name: 'Create account and join' }).click()
  await page.waitForURL(new RegExp(`/organization/${server.organization}`))
  await expect(page.getByRole('button', { name: 'Account of Katherine Johnson' })).toBeVisible()

  // Now it has one, and only that account can join.
  const link = await invite(id)
  await asOwner(link)
  await takePicture(page, 'invitation-other-account')
  await expect(page.getByRole('button', { name: 'Join' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(/sign-in/)
  await page.goto(link)
  await page.getByRole('link', { name: 'Sign in to it' }).click()
  await signIn(page, guest)
  await page.getByRole('button', { name: 'Join' }).click()
  await page.waitForURL(new RegExp(`/organization/${id}`))
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('create a key, which works and is shown once', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}/settings/api-keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Note').fill('for the <b>worker</b>')
  await page.getByRole('button', { name: 'Create key' }).click()
  await expect(page.getByRole('dialog').getByText('Secret key', { exact: true })).toBeVisible()
  const [publicKey, secretKey] = await page.getByRole('dialog').locator('code').allTextContents()
  const ask = () =>
    fetch(`${server.url}/api/public/projects`, {
      headers: {
        Authorization: `Basic ${Buffer.from(`${publicKey}:${secretKey}`).toString('base64')}`,
      },
    })
  expect((await ask()).status).toBe(200)
  await page.reload()
  await expect(page.getByText('for the <b>worker</b>')).toBeVisible()
  await expect(page.getByText(secretKey ?? '')).toHaveCount(0)
})

test('signing out ends the session', async ({ page, server }) => {
  // A separate session, so that the others are not affected.
  await page.goto(`${server.url}/account/settings`)
  await signIn(page)
  await page.getByRole('button', { name: /Account of/ }).click()
  await page.getByRole('menuitem', { name: /sign out/i }).click()
  await page.waitForURL(/sign-in/)
  await page.goto(`${server.url}/account/settings`)
  await page.waitForURL(/sign-in/)
})

test('a list without rows says how to fill it', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}/settings/llm-connections`)
  await expect(page.getByText('No connections')).toBeVisible()
  await page.getByRole('button', { name: 'Connect a provider' }).click()
  await expect(page.getByRole('heading', { name: 'New LLM connection' })).toBeVisible()
})
