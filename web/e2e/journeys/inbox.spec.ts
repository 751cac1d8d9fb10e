import { startServer } from '../server'
import { asProgram, ask, expect, open, sendTrace, setUpServer, takePicture, test } from '../test'

type Comment = { id: string }
type Session = { user: { id: string; name: string } }

test('a mention and a finished export reach the person, who goes to the very comment', async ({
  page,
}) => {
  // Of its own: the exports of other tests would reach the same owner.
  const server = await setUpServer(await startServer())
  const traceId = 'b7'.repeat(16)
  await sendTrace(server, { traceId, name: 'answer', attributes: {} })
  const { user } = await ask<Session>(server, 'GET', '/api/ui/auth/session')
  await open(page, server, '/account/inbox')
  await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
  const bell = page.getByRole('banner').getByRole('link', { name: /^Inbox/ })
  await expect(bell).toHaveAccessibleName('Inbox')

  const comment = async (content: string) => {
    const answer = await fetch(`${server.url}/api/public/comments`, {
      method: 'POST',
      headers: asProgram(server),
      body: JSON.stringify({
        projectId: server.project,
        objectType: 'TRACE',
        objectId: traceId,
        content,
      }),
    })
    expect(answer.ok).toBe(true)
    return ((await answer.json()) as Comment).id
  }
  for (let n = 0; n < 20; n += 1) await comment(`nothing for anybody ${n}`)
  const id = await comment(`@[${user.name}](user:${user.id}) is this **right**?`)
  await ask(server, 'POST', `/api/ui/projects/${server.project}/exports`, {
    table: 'scores',
    format: 'csv',
  })
  // As when somebody comes back to the tab, which looks again.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
    await expect(bell).toHaveAccessibleName('Inbox, 2 unread', { timeout: 1000 })
  }).toPass({ timeout: 30_000 })
  const list = page.getByRole('list', { name: 'Inbox' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await expect(
    list.getByRole('link', { name: 'Your export of scores as CSV is done' }),
  ).toBeVisible()
  await takePicture(page, 'inbox')
  await list.getByRole('link', { name: /mentioned you in a comment on a trace/ }).click()
  await page.waitForURL(new RegExp(`#comment-${id}$`))
  await expect(page.locator(`#comment-${id}`)).toBeInViewport()
  await expect(bell).toHaveAccessibleName('Inbox, 1 unread')

  await bell.click()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(bell).toHaveAccessibleName('Inbox')
  await expect(list.getByText('New')).toHaveCount(0)
  await server.stop()
})
