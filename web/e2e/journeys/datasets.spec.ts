import { readFileSync } from 'node:fs'
import { ask, expect, expectAccessible, newProject, open, test } from '../test'

test('items of a dataset are listed, and the editor tells what breaks the schema', async ({
  page,
  server,
}) => {
  const project = await newProject(server, 'Datasets')
  const base = `/api/ui/projects/${project.project}`
  await ask(project, 'POST', `${base}/v2/datasets`, {
    name: 'sums',
    inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
  })
  for (let n = 0; n < 5; n += 1)
    await ask(project, 'POST', `${base}/dataset-items`, {
      datasetName: 'sums',
      input: { q: `What is ${n} plus ${n}?` },
      expectedOutput: `${2 * n}`,
    })
  await open(page, project, `/project/${project.project}/datasets`)
  await page.getByRole('link', { name: 'sums' }).click()
  await expect(page.getByText('What is 4 plus 4?')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add item' }).click()
  const dialog = page.getByRole('dialog', { name: 'New item' })
  await dialog.getByRole('textbox', { name: 'Input' }).click()
  await page.keyboard.insertText('{"q": 1}')
  await dialog.getByRole('button', { name: 'Add item' }).click()
  await expect(dialog.getByText('/q: must be string')).toBeVisible()
})

test('a CSV file is imported, its bad rows are named, and all of it comes out again', async ({
  page,
  server,
}) => {
  const project = await newProject(server, 'Imports')
  const base = `/api/ui/projects/${project.project}`
  await ask(project, 'POST', `${base}/v2/datasets`, {
    name: 'sums',
    inputSchema: { type: 'object', properties: { question: { type: 'string' } } },
  })
  await open(page, project, `/project/${project.project}/datasets`)
  await page.getByRole('link', { name: 'sums' }).click()
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import items' })
  const rows = Array.from({ length: 1200 }, (_, n) => `"What is ${n}, doubled?",easy,${2 * n}`)
  rows.splice(4, 0, '7,easy,14') // line 6: the question is a number
  rows.splice(9, 0, 'too few') // line 11
  const content = ['question,level,answer', ...rows].join('\n')
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'sums.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })
  await dialog.getByRole('button', { name: 'What level becomes' }).click()
  await page.getByRole('option', { name: 'Input' }).click()
  await expect(dialog.getByText('{"question":"What is 0, doubled?","level":"easy"}')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Check the file' }).click()
  await expect(dialog.getByText('1,200 items are new; 2 rows are refused.')).toBeVisible()
  const refused = dialog.getByRole('list', { name: 'Refused rows' }).getByRole('listitem')
  await expect(refused).toHaveText([
    'Line 6Input /question must be string',
    'Line 11It has 1 cell, and there are 3 columns',
  ])
  await dialog.getByRole('button', { name: 'Import 1,200 items' }).click()
  await expect(dialog.getByText('1,200 items were added; 2 rows are refused.')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('50+ items')).toBeVisible()

  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('sums.csv')
  const lines = readFileSync(await download.path(), 'utf8')
    .trimEnd()
    .split('\r\n')
  expect(lines).toHaveLength(1201)
  expect(lines.join()).toContain('""question"":""What is 7, doubled?""')
})

test('an item that was typed survives Esc, and its history is shown', async ({ page, server }) => {
  const project = await newProject(server, 'Histories')
  const base = `/api/ui/projects/${project.project}`
  await ask(project, 'POST', `${base}/v2/datasets`, { name: 'sums' })
  for (const input of ['first', 'second'])
    await ask(project, 'POST', `${base}/dataset-items`, { datasetName: 'sums', id: 'one', input })
  await open(page, project, `/project/${project.project}/datasets`)
  await page.getByRole('link', { name: 'sums' }).click()
  await page.getByRole('link', { name: 'one' }).click()
  const dialog = page.getByRole('dialog', { name: 'Item' })
  await dialog.getByRole('button', { name: 'History' }).click()
  await expect(dialog.getByText('first')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox', { name: 'Expected output' }).click()
  await page.keyboard.insertText('1234')
  await dialog.getByRole('button', { name: 'Close' }).click()
  const leaving = page.getByRole('alertdialog', { name: 'Leave without saving?' })
  await leaving.getByRole('button', { name: 'Stay' }).click()
  await expect(dialog.getByText('1234')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await leaving.getByRole('button', { name: 'Leave' }).click()
  await expect(dialog).toBeHidden()

  await page.getByRole('button', { name: 'Add item' }).click()
  const added = page.getByRole('dialog', { name: 'New item' })
  await added.getByRole('textbox', { name: 'Input' }).click()
  await page.keyboard.insertText('5678')
  await added.getByRole('button', { name: 'Cancel' }).focus()
  await page.keyboard.press('Escape')
  const discarding = page.getByRole('alertdialog', { name: 'Discard the new item?' })
  await discarding.getByRole('button', { name: 'Cancel' }).click()
  await expect(added.getByText('5678')).toBeVisible()
  await page.keyboard.press('Escape')
  await discarding.getByRole('button', { name: 'Discard' }).click()
  await expect(added).toBeHidden()
})
