import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { client, password, type Provider, startProvider } from '../provider'
import { type Server, startServer } from '../server'
import { expect, takePicture, test } from '../test'

type Sso = { server: Server; provider: Provider }

let sso: Sso
const directory = mkdtempSync(join(tmpdir(), 'almanac-e2e-'))

// A server that lets people in only through a provider, and makes admins of those in its group "admins".
test.beforeAll(async () => {
  test.setTimeout(300_000) // the provider is compiled on first use
  const provider = await startProvider()
  const file = join(directory, 'providers.json')
  const settings = {
    id: 'example',
    name: 'Example',
    issuer: provider.issuer,
    clientId: client.id,
    clientSecret: client.secret,
    scopes: ['openid', 'email', 'profile', 'groups'],
    createAccounts: true,
    roles: [{ claim: 'groups', value: 'admins', organizationId: 'acme', role: 'ADMIN' }],
  }
  writeFileSync(file, JSON.stringify([settings]), { mode: 0o600 })
  const server = await startServer([
    `--sso-providers=${file}`,
    '--disable-password-sign-in',
    '--init-org-id=acme',
    '--init-org-name=Acme',
    '--init-project-id=p1',
  ])
  await provider.serve(`${server.url}/api/ui/auth/oidc/example/callback`)
  sso = { server, provider }
})

test.afterAll(async () => {
  await sso.server.stop()
  await sso.provider.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** Presses the button, and fills in the form of the provider. */
async function signInThrough(page: Page, { provider }: Sso, email: string) {
  await page.getByRole('link', { name: 'Continue with Example' }).click()
  await page.waitForURL((url) => url.href.startsWith(provider.issuer))
  await page.locator('input[name=login]').fill(email)
  await page.locator('input[name=password]').fill(password)
  await page.locator('button[type=submit]').click()
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

test('through a provider: the exact address again, an account and a role, and out', async ({
  page,
}) => {
  const { url } = sso.server
  const address = `${url}/project/p1/traces?environment=staging&filter=a%20b#comment-1`
  await page.goto(address)
  await page.waitForURL(/\/auth\/sign-in/)
  await expect(page.getByRole('link', { name: 'Continue with Example' })).toBeVisible()
  // Passwords are disabled: nobody is asked for one.
  await expect(page.getByLabel('Password')).toHaveCount(0)
  await expect(page.getByLabel('Email')).toHaveCount(0)
  await takePicture(page, 'sign-in-provider')
  await signInThrough(page, sso, 'grace@example.org')
  // A project that is visible only with its role: the account was created, and the claim gave the role.
  await page.waitForURL((there) => there.origin === url)
  await expect(page.getByRole('heading', { name: 'Traces' })).toBeVisible()
  expect(new URL(page.url()).href).toBe(new URL(address).href)
  await page.goto(`${url}/organization/acme/settings/members`)
  const row = page.getByRole('row', { name: /Grace Hopper/ })
  await expect(row).toContainText('grace@example.org')
  await expect(row).toContainText('Admin')
  await expect(page.getByRole('button', { name: 'Account of Grace Hopper' })).toBeVisible()

  await signOut(page)
  await page.waitForURL(`${url}/auth/sign-in`)
  await page.goto(`${url}/account/settings`)
  await page.waitForURL(/\/auth\/sign-in/)
  // The user was signed out of the provider as well: it asks again.
  await page.getByRole('link', { name: 'Continue with Example' }).click()
  await expect(page.locator('input[name=password]')).toBeVisible()
})

test('an invitation is accepted through a provider', async ({ page, browser }) => {
  const { url } = sso.server
  await page.goto(`${url}/organization/acme/settings/invitations`)
  await signInThrough(page, sso, 'grace@example.org')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Email').fill('katherine@example.org')
  await page.getByRole('button', { name: 'Create invitation' }).click()
  const link = (await page.getByRole('dialog').locator('code').textContent()) ?? ''

  const context = await browser.newContext()
  const guest = await context.newPage()
  await guest.goto(link)
  await expect(guest.getByRole('heading', { name: 'Join Acme' })).toBeVisible()
  await expect(guest.getByLabel('Password')).toHaveCount(0)
  await takePicture(guest, 'invitation-provider')
  await signInThrough(guest, sso, 'katherine@example.org')
  await guest.waitForURL(link)
  await guest.getByRole('button', { name: 'Join' }).click()
  await guest.waitForURL(`${url}/organization/acme**`)
  await context.close()
})

test('who is turned away learns why', async ({ page }) => {
  await page.goto(`${sso.server.url}/auth/sign-in`)
  await signInThrough(page, sso, 'mallory@example.org')
  await page.waitForURL(/error=sso_email_unverified/)
  await expect(page.getByText(/does not say that your email address is verified/)).toBeVisible()
})
