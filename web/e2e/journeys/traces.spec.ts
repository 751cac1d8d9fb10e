import { ask, expect, open, takePicture, test } from '../test'

test.describe.configure({ mode: 'serial', timeout: 180_000 })

test('finds the failing run: types, brushes, peeks, opens', async ({ page, demo }) => {
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d`)
  const table = page.getByRole('grid', { name: 'Traces' })
  await expect(table.getByRole('row').nth(3)).toBeVisible()
  // Only visible rows are in the DOM, however many there are.
  expect(await table.getByRole('row').count()).toBeLessThan(80)

  await page.keyboard.press('/')
  const bar = page.getByRole('combobox', { name: 'Filter and search' })
  await expect(bar).toBeFocused()
  await page.keyboard.type('levl:ERROR ')
  await expect(page.getByText('Do you mean level?')).toBeVisible()
  await bar.fill('lev')
  await expect(page.getByRole('option', { name: /^level/ })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(bar).toHaveValue('level:')
  await page.keyboard.type('ERROR')
  await page.keyboard.press('Enter')
  await page.waitForURL(/filter=level/)
  await expect(table.getByText(/\d errors?/).first()).toBeVisible()
  await expect(page.getByRole('checkbox', { name: /^ERROR/ })).toBeChecked()

  // A part of the time, marked with the pointer.
  const chart = page.getByRole('img', { name: /traces over time/ })
  const box = await chart.boundingBox()
  if (!box) throw new Error('no chart')
  await page.mouse.move(box.x + 2, box.y + 20)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width - 2, box.y + 20, { steps: 4 })
  await page.mouse.up()
  await page.getByRole('button', { name: 'What is different here?' }).click()
  await expect(page.getByRole('heading', { name: 'What is different' })).toBeVisible()
  await page.goBack()
  await expect(table.getByText(/\d errors?/).first()).toBeVisible()

  // The first rows, by keyboard alone.
  await table.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/peek=/)
  const panel = page.getByRole('region', { name: 'Selected trace' })
  await expect(panel).toBeVisible()
  const first = new URL(page.url()).searchParams.get('peek')
  await page.keyboard.press('j')
  await expect.poll(() => new URL(page.url()).searchParams.get('peek')).not.toBe(first)
  await panel.getByRole('link', { name: 'Open' }).click()
  await page.waitForURL(/\/traces\/[0-9a-f]{32}/)
})

test('says which condition to loosen, and what range has data', async ({ page, demo }) => {
  const filter = encodeURIComponent('level;stringOptions;;any of;ERROR,name;string;;contains;zzz')
  await open(page, demo, `/project/${demo.project}/observations?dateRange=7d&filter=${filter}`)
  await expect(page.getByText('No observations match')).toBeVisible()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Without name:zzz' })
    .getByRole('button', { name: 'Remove it' })
    .click()
  await expect(page.getByRole('combobox', { name: 'Filter and search' })).toHaveValue('level:ERROR')
  await page.goBack()
  await expect(page.getByText('No observations match')).toBeVisible()

  await open(page, demo, `/project/${demo.project}/traces?dateRange=2020-01-01~2020-01-02`)
  await page.getByRole('button', { name: 'Jump to it' }).click()
  await expect(page.getByRole('grid', { name: 'Traces' }).getByRole('row').nth(1)).toBeVisible()
})

test('comes back to the row and to what was picked', async ({ page, demo }) => {
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d`)
  const table = page.getByRole('grid', { name: 'Traces' })
  await expect(table.getByRole('row').nth(3)).toBeVisible()
  await table.focus()
  await page.keyboard.press('End')
  await expect(table).toHaveAttribute('aria-rowcount', '201')
  await page.keyboard.press('End')
  await page.keyboard.press('x')
  const last = table.locator('[aria-rowindex="201"]')
  await expect(last).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  const panel = page.getByRole('region', { name: 'Selected trace' })
  await panel.getByRole('link', { name: 'Open' }).click()
  await page.waitForURL(/\/traces\/[0-9a-f]{32}/)
  await page.goBack()
  await expect(last).toBeInViewport()
  await expect(last).toHaveAttribute('aria-selected', 'true')
  await page.goBack() // to the table without the panel
  await expect(panel).toHaveCount(0)
  await expect(last).toHaveAttribute('aria-selected', 'true')
})

test('puts rows into a dataset, scores them and groups the rest', async ({ page, demo }) => {
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d`)
  const table = page.getByRole('grid', { name: 'Traces' })
  await expect(table.getByRole('row').nth(3)).toBeVisible()
  await table.focus()
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.keyboard.press('Shift+J')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('button', { name: 'Add to dataset' }).click()
  await page.getByRole('combobox', { name: 'Dataset' }).fill('odd runs')
  // Leaves the field, and closes the list that hides the rest from screen readers.
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Create dataset and add 2 traces' }).click()
  await expect(page.getByText('2 added.')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()

  // Everything that matches, although not everything is loaded.
  await table.focus()
  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: /^Select all/ }).click()
  await page.getByRole('button', { name: 'Score', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a score' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('looked at')
  await dialog.getByRole('textbox', { name: 'Value' }).fill('0.5')
  await takePicture(page, 'bulk-score')
  await dialog.getByRole('button', { name: 'Score 200 traces' }).click()
  await expect(dialog.getByText('200 scored.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  const { data, meta } = await ask<{ data: { value: number }[]; meta: { cursor?: string } }>(
    demo,
    'GET',
    `/api/ui/projects/${demo.project}/v3/scores?name=looked%20at&limit=100`,
  )
  expect(data.map(({ value }) => value)).toEqual(Array.from({ length: 100 }, () => 0.5))
  expect(meta.cursor).toBeDefined()

  await open(page, demo, `/project/${demo.project}/observations?dateRange=7d&group=model`)
  const groups = page.getByRole('grid', { name: 'Groups by Model' })
  await expect(groups.getByText('gpt-5-mini')).toBeVisible()
  await groups.getByText('gpt-5-mini').click()
  await expect(page.getByRole('combobox', { name: 'Filter and search' })).toHaveValue(
    'model:=gpt-5-mini',
  )
})
