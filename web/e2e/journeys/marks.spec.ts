import { ask, expect, newProject, open, sendTrace, takePicture, test } from '../test'

test('traces are found by what people did with them', async ({ page, server }) => {
  const own = await newProject(server, 'Marked')
  for (const [at, name] of ['left alone', 'kept for later', 'talked about'].entries())
    await sendTrace(own, { traceId: `c${at}`.repeat(16), name })
  await ask(server, 'POST', `/api/ui/projects/${own.project}/comments`, {
    projectId: own.project,
    objectType: 'TRACE',
    objectId: 'c2'.repeat(16),
    content: 'Look at this.',
  })
  await ask(server, 'PATCH', `/api/ui/projects/${own.project}/traces/${'c2'.repeat(16)}/marks`, {
    public: true,
  })
  await open(
    page,
    server,
    `/project/${own.project}/traces?show=bookmarked,published,comments&cols=startTime,name,bookmarked,published,comments`,
  )
  const table = page.getByRole('grid', { name: 'Traces' })
  const rows = table.locator('[data-index]')
  const row = (name: string) => rows.filter({ hasText: name })
  await expect(rows).toHaveCount(3)
  await expect(row('talked about')).toContainText('1 comment')
  await expect(row('talked about')).toContainText('Published')
  await expect(row('kept for later')).not.toContainText('Bookmarked')

  // What is done to selected rows is shown, and can be asked for.
  await row('kept for later').getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Tag or bookmark' }).click()
  await page.getByRole('button', { name: 'Bookmark 1 trace' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(row('kept for later')).toContainText('Bookmarked')
  await takePicture(page, 'marked-traces')

  const bar = page.getByRole('combobox', { name: 'Filter and search' })
  const find = async (query: string, ...names: string[]) => {
    await bar.fill(query)
    await bar.press('Enter')
    await expect(rows).toHaveCount(names.length)
    for (const name of names) await expect(row(name)).toHaveCount(1)
  }
  await bar.pressSequentially('book')
  await page.getByRole('option', { name: /^bookmarked/ }).click()
  await expect(bar).toHaveValue('bookmarked:')
  await find('bookmarked:true', 'kept for later')
  await find('-bookmarked:true', 'left alone', 'talked about')
  await find('published:true', 'talked about')
  await find('comments:>0 OR bookmarked:true', 'kept for later', 'talked about')
  await page.reload()
  await expect(rows).toHaveCount(2)
})
