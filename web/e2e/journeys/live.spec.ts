import { newLine } from '../line'
import { expect, newProject, open, sendTrace, settled, takePicture, test } from '../test'

test('new rows wait behind a button or stream in, and a view that is kept opens by its link', async ({
  page,
  server,
}) => {
  const project = await newProject(server, 'What arrives')
  const send = (n: number, name: string) =>
    sendTrace(project, { traceId: String(n).padStart(32, 'b'), name })
  await send(0, 'the first')
  await open(page, project, `/project/${project.project}/traces`)
  const table = page.getByRole('grid', { name: 'Traces' })
  await expect(table.getByText('the first')).toBeVisible()

  // Rows wait, so that nothing moves.
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await expect(page.getByText('Waiting for new data')).toBeVisible()
  await send(1, 'the second')
  await send(2, 'the third')
  const pill = page.getByRole('button', { name: '2 new' })
  await expect(pill).toBeVisible()
  await expect(table.getByText('the second')).toBeHidden()
  await takePicture(page, 'live')
  await pill.click()
  await expect(table.getByText('the second')).toBeVisible()
  await expect(pill).toBeHidden()

  // Or they stream in.
  await page.getByRole('button', { name: 'Stream new data' }).click()
  await send(3, 'the fourth')
  await expect(table.getByRole('row').nth(1).getByText('the fourth')).toBeVisible()

  // The current view is saved under a name, with its columns.
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  const bar = page.getByRole('combobox', { name: 'Filter and search' })
  await bar.fill('name:"the third"')
  await bar.press('Enter')
  await expect(table.getByText('the first')).toBeHidden()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Only the third')
  await page.getByText('For everybody in the project').click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/viewId=/)
  const viewId = new URL(page.url()).searchParams.get('viewId') ?? ''

  await open(page, project, `/project/${project.project}/traces?viewId=${viewId}`)
  await expect(bar).toHaveValue(/the third/)
  await expect(table.getByText('the third')).toBeVisible()
  await expect(table.getByText('the first')).toBeHidden()

  // Edits mark it as changed, until they are taken back.
  await bar.fill('')
  await bar.press('Enter')
  await expect(table.getByText('the first')).toBeVisible()
  const menu = page.getByRole('button', { name: 'Only the third (changed)' })
  await menu.click()
  await takePicture(page, 'views')
  await page.getByRole('menuitem', { name: 'Revert to saved “Only the third”' }).click()
  await expect(table.getByText('the first')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Only the third', exact: true })).toBeVisible()

  // A table opens with the chosen default view, and the palette finds the view.
  await page.getByRole('button', { name: 'Only the third', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Make it your default' }).click()
  await expect(page.getByText('The table opens with this view from now on')).toBeVisible()
  await open(page, project, `/project/${project.project}/traces`)
  await expect(bar).toHaveValue(/the third/)
  await open(page, project, `/project/${project.project}/sessions`)
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible()
  await settled(page)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search and go anywhere' })).toBeVisible()
  await page.keyboard.type('only the third')
  await page.getByRole('menuitem', { name: /Only the third/ }).click()
  await page.waitForURL(/\/traces\?.*viewId=/)
  await expect(table.getByText('the third')).toBeVisible()
})

test('who loses the connection comes back to where they were, and misses nothing', async ({
  page,
  server,
}) => {
  const project = await newProject(server, 'A bad line')
  const send = (name: string) =>
    sendTrace(project, { traceId: Buffer.from(name.padStart(16)).toString('hex'), name })
  await send('before')
  const line = await newLine(server.url)
  // A failed prefetch is not reported.
  const ahead = /\/assets\/KeyboardHelp-/
  await page.route(ahead, (route) => route.abort())
  const lost = page.waitForEvent('requestfailed', (request) => ahead.test(request.url()))
  await open(page, { ...project, url: line.url }, `/project/${project.project}/traces`)
  const table = page.getByRole('grid', { name: 'Traces' })
  await expect(table.getByText('before')).toBeVisible()
  await lost
  await page.getByRole('button', { name: 'Live', exact: true }).click()
  await page.getByRole('button', { name: 'Stream new data' }).click()
  await send('while it is open')
  await expect(table.getByText('while it is open')).toBeVisible()

  line.cut()
  await expect(page.getByText(/Trying again/)).toBeVisible()
  for (const n of [1, 2, 3]) await send(`unseen ${n}`)
  line.mend()
  for (const n of [1, 2, 3]) await expect(table.getByText(`unseen ${n}`)).toBeVisible()
  await send('afterwards')
  await expect(table.getByText('afterwards')).toBeVisible()
  // The header, the row from before, and each of the others once.
  await expect(table.getByRole('row')).toHaveCount(7)
  line.close()
})

test('a page whose code did not arrive offers to load again', async ({ page, server }) => {
  const missing = /\/assets\/KeyboardHelp-/
  await page.route(missing, (route) => route.abort())
  await open(page, server, `/project/${server.project}`)
  await settled(page)
  await page.keyboard.press('?')
  await expect(page.getByText('Couldn’t load part of this page')).toBeVisible()
  await page.unroute(missing)
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await settled(page)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
})
