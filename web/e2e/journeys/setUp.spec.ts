import { startServer } from '../server'
import {
  expect,
  expectAccessible,
  owner,
  sendTrace,
  setUp,
  signIn,
  takePicture,
  test,
} from '../test'

test('the first start: set up, see the keys, send a trace, see it', async ({ page }) => {
  const fresh = await startServer()
  await page.goto(fresh.url)
  await expect(page.getByRole('heading', { name: 'Almanac is not set up yet' })).toBeVisible()
  await takePicture(page, 'set-up-first')
  await page.goto(fresh.setUpAddress)
  await expect(page.getByRole('heading', { name: 'Set up Almanac' })).toBeVisible()
  await takePicture(page, 'set-up')
  await setUp(page, fresh)
  await expect(page.getByText(/waiting for the first trace/i)).toBeVisible()
  await expect(page.getByText('langfuse', { exact: false }).first()).toBeVisible()
  await takePicture(page, 'home-waiting')
  await sendTrace(fresh, { traceId: 'c3'.repeat(16), name: 'the first one' })
  await expect(page.getByText('the first one').first()).toBeVisible()

  // The setup link works only once.
  await page.goto(fresh.setUpAddress)
  await expect(page.getByRole('heading', { name: 'Already set up' })).toBeVisible()
  await fresh.stop()
})

test('a visitor returns to the exact address after signing in', async ({ page, server }) => {
  const path = `/project/${server.project}?env=production#a-place`
  await page.goto(server.url + path)
  await page.waitForURL(/\/auth\/sign-in/)
  await expectAccessible(page)
  await signIn(page, { ...owner, password: 'not the password' })
  await expect(page.getByText(/wrong|not right|does not match|incorrect/i)).toBeVisible()
  await signIn(page)
  await page.waitForURL((url) => url.pathname === `/project/${server.project}`)
  expect(new URL(page.url()).hash).toBe('#a-place')
  expect(new URL(page.url()).searchParams.get('env')).toBe('production')
})

test('the return path never leads to another origin', async ({ page, server }) => {
  for (const target of [
    '//evil.example/x',
    'https://evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
  ]) {
    await page.context().clearCookies()
    await page.goto(`${server.url}/auth/sign-in?returnTo=${encodeURIComponent(target)}`)
    await signIn(page)
    await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
    expect(new URL(page.url()).origin).toBe(server.url)
  }
})
