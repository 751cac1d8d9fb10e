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
