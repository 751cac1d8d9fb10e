import { createServer } from 'node:http'
import { expect, open, test } from '../test'

test('names with markup are text everywhere', async ({ page, server }) => {
  await open(page, server, '/')
  const name = `<img src=x onerror="document.title='owned'">`
  const rename = (path: string) =>
    page.evaluate(
      async ([where, text]) => {
        const answer = await fetch(where, {
          method: 'PATCH',
          headers: { 'Content-Type': 'application/json', 'X-Almanac-CSRF': '1' },
          body: JSON.stringify({ name: text }),
        })
        return answer.status
      },
      [path, name] as const,
    )
  const organization = `/api/ui/organizations/${server.organization}`
  expect(await rename(organization)).toBe(200)
  expect(await rename('/api/ui/account')).toBe(200)
  for (const path of [
    '/',
    `/organization/${server.organization}`,
    `/organization/${server.organization}/settings/members`,
    `/organization/${server.organization}/settings/audit-logs`,
    `/project/${server.project}/settings`,
    '/account/settings',
  ]) {
    await page.goto(server.url + path)
    await expect(page.locator('h1').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await page.title()).not.toBe('owned')
    expect(await page.locator('img[src=x]').count()).toBe(0)
  }
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
