import { createServer } from 'node:http'
import { fill, pagesOf } from '../examples'
import { ask, expect, go, open, owner, settled, test } from '../test'

test('names with markup are text everywhere', async ({ page, server }) => {
  test.setTimeout(120_000)
  const markup = `<img src=x onerror="document.title='owned'">`
  const examples = await fill(server, (words) => `${words} ${markup}`)
  await ask(server, 'PATCH', '/api/ui/account', { name: markup })
  const expectText = async (where: string) => {
    await settled(page)
    expect(await page.title(), where).not.toBe('owned')
    expect(await page.locator('img[src=x]').count(), where).toBe(0)
  }
  const inProject = Object.values(examples.stored).map(
    (path) => `/project/${examples.project}/${path}`,
  )
  await open(page, server, '/')
  await settled(page)
  for (const path of [...Object.values(pagesOf(examples)), ...inProject]) {
    await go(page, path)
    await expect(page.locator('h1').first()).toBeVisible()
    await expectText(path)
    // The shell shows the names of the project and the user; the page says what it found.
    await expect(page.getByText('not found')).toHaveCount(0)
  }
  // What opens on top of pages: the palette with all projects, an audit log entry, the confirmation that contains a
  // name.
  await settled(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByPlaceholder('Page, project, action, or any id')).toBeFocused()
  await page.keyboard.type('Acme')
  await expect(page.getByRole('menuitem', { name: /^Acme/ }).first()).toContainText(markup)
  await expectText('the palette')
  await page.keyboard.press('Escape')
  await go(page, `/project/${examples.project}/settings/audit-logs`)
  await page
    .getByRole('row', { name: /create/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toContainText(markup)
  await expectText('the audit log')
  await go(page, `/organization/${examples.organization}/settings/members`)
  await page.getByRole('button', { name: /^Actions for Grace/ }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(page.getByRole('alertdialog')).toContainText(markup)
  await expectText('the confirmation')
  // What signed-out visitors see.
  await page.context().clearCookies()
  await page.goto(examples.invitation)
  await expect(page.getByText(markup).first()).toBeVisible()
  await expectText('the invitation')
  await ask(server, 'PATCH', '/api/ui/account', { name: owner.name })
})

test('a role that is taken away counts in tabs that are open', async ({
  page,
  browser,
  server,
}) => {
  const { organization, project } = server
  const { link } = await ask<{ link: string }>(
    server,
    'POST',
    `/api/ui/organizations/${organization}/invitations`,
    { email: 'mary@example.com', role: 'ADMIN' },
  )
  const context = await browser.newContext()
  const tab = await context.newPage()
  await tab.goto(link)
  await tab.getByLabel('Your name').fill('Mary Jackson')
  await tab.getByLabel('Password', { exact: true }).fill('wind tunnels are loud')
  await tab.getByRole('button', { name: 'Create account and join' }).click()
  await tab.waitForURL(/\/organization\//)
  await tab.goto(`${server.url}/project/${project}/settings/api-keys`)
  await tab.getByRole('button', { name: 'New key' }).click()
  await tab.getByRole('dialog').getByLabel('Note').fill('one more')

  // While the dialog is open, the admin becomes a viewer. The session goes on, without what the role allowed.
  await open(page, server, `/organization/${organization}/settings/members`)
  await page.getByRole('button', { name: /Mary Jackson.*’s role/ }).click()
  await page.getByRole('option', { name: /^Viewer/ }).click()
  await expect(page.getByText('Mary Jackson is now Viewer')).toBeVisible()
  const refused = tab.waitForResponse(/apiKeys/)
  await tab.getByRole('button', { name: 'Create key' }).click()
  expect((await refused).status()).toBe(403)
  await tab.reload()
  await expect(tab.getByText(/your role/i).first()).toBeVisible()
  await expect(tab.getByRole('button', { name: 'New key' })).toHaveCount(0)
  const keys = await ask<{ apiKeys: { note: string | null }[] }>(
    server,
    'GET',
    `/api/ui/projects/${project}/apiKeys`,
  )
  expect(keys.apiKeys.map((key) => key.note)).not.toContain('one more')
  await context.close()
})

test('other origins cannot use the session of a person, nor frame the application', async ({
  page,
  server,
  problems,
}) => {
  await open(page, server, '/')
  const evil = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html')
    answer.end(`<form method="post" enctype="text/plain" action="${server.url}/api/ui/organizations">
      <input name='{"name":"evil","x":"' value='"}'><button>go</button></form>
      <iframe src="${server.url}/"></iframe>`)
  })
  await new Promise<void>((done) => evil.listen(0, '127.0.0.1', done))
  const address = evil.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const attacker = await page.context().newPage()
  // Same site, other origin: the cookie is sent, and must not be enough.
  await attacker.goto(`http://127.0.0.1:${port}/`)
  await expect.poll(() => problems.splice(0).join()).toContain("frame-ancestors 'none'")
  const frame = attacker.frameLocator('iframe')
  await expect(frame.getByRole('heading')).toHaveCount(0)
  for (const path of ['/', '/auth/sign-in', `/project/${server.project}`]) {
    const { headers } = await fetch(server.url + path)
    expect(headers.get('X-Frame-Options'), path).toBe('DENY')
  }
  const fetched = await attacker.evaluate(
    async (url) =>
      fetch(`${url}/api/ui/auth/session`, { credentials: 'include' })
        .then((answer) => answer.text())
        .catch(() => 'refused'),
    server.url,
  )
  expect(fetched).toBe('refused')
  const answered = attacker.waitForResponse(/api\/ui\/organizations/)
  await attacker.getByRole('button', { name: 'go' }).click()
  expect((await answered).status()).toBe(403)
  await attacker.waitForURL(/api\/ui\/organizations/) // Chromium may not close a page that is about to show another
  await attacker.close()
  await new Promise((done) => evil.close(done))
})

test('the public API does not know the cookie', async ({ page, server }) => {
  await open(page, server, '/')
  const status = await page.evaluate(
    async () => (await fetch('/api/public/v2/observations', { credentials: 'include' })).status,
  )
  expect(status).toBe(401)
})
