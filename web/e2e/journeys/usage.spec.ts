import { ask, expect, newProject, open, sendTrace, takePicture, test } from '../test'

test('what a project stores and may use is shown, and its limits are changed', async ({
  page,
  server,
}) => {
  const own = await newProject(server, 'Measured')
  await sendTrace(own, { traceId: 'd4'.repeat(16), name: 'stored' })
  const ours = `/api/ui/organizations/${server.organization}/projects/${own.project}/limits`
  await ask(server, 'PUT', ours, { spansPerDay: 1 })
  await open(page, server, `/project/${own.project}/settings/usage`)
  const limits = page.getByRole('table', { name: 'Limits of the project' })
  const row = (name: string) => limits.getByRole('row', { name })
  await expect(row('Spans per day')).toContainText('100%, used up')
  await expect(page.getByText('Data is kept forever.')).toBeVisible()
  await takePicture(page, 'project-usage')

  await page.getByRole('button', { name: 'Change limits' }).click()
  await page.getByRole('textbox', { name: 'Spans per day' }).fill('2000')
  await page.getByRole('textbox', { name: 'Megabytes per day' }).fill('1.5')
  await page.getByRole('button', { name: 'Save limits' }).click()
  await expect(page.getByText('Limits changed')).toBeVisible()
  await expect(row('Spans per day')).toContainText('2,000')
  await expect(row('Bytes per day')).toContainText('1.5 MB')
  await sendTrace(own, { traceId: 'd5'.repeat(16), name: 'within the limit' })

  await page.getByRole('link', { name: 'Change the retention' }).click()
  await expect(page.getByRole('heading', { name: 'Retention' })).toBeVisible()

  await open(page, server, `/organization/${server.organization}/settings/usage`)
  const projects = page.getByRole('grid', { name: 'Storage of projects' })
  await expect(projects.getByText('Measured')).toBeVisible()
  await takePicture(page, 'organization-usage')
  await projects.getByText('Measured').click()
  await expect(page).toHaveURL(new RegExp(`/project/${own.project}/settings/usage`))
})
