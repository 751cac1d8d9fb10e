import { expect, open, takePicture, test } from '../test'

test.describe.configure({ timeout: 180_000 })

test('rows are links, and lead on to the next and to what two of them differ in', async ({
  page,
  context,
  demo,
}) => {
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d&sort=totalCost.desc`)
  const table = page.getByRole('grid', { name: 'Traces' })
  const rows = table.getByRole('row')
  const row = (at: number) => table.locator(`[data-index="${at}"][role="row"]`)
  await expect(rows.nth(3)).toBeVisible()
  const pageOf = async (at: number) => {
    const href = await row(at).locator('a[data-row-link]').first().getAttribute('href')
    return new URL(href ?? '', page.url())
  }
  const second = await pageOf(1)

  // A new tab; here nothing happens.
  const [tab] = await Promise.all([
    context.waitForEvent('page'),
    row(1).getByRole('gridcell').nth(2).click({ button: 'middle' }),
  ])
  await expect(tab).toHaveURL(second.href)
  await tab.close()
  const [other] = await Promise.all([
    context.waitForEvent('page'),
    row(1)
      .getByRole('gridcell')
      .nth(2)
      .click({ modifiers: ['ControlOrMeta'] }),
  ])
  await other.close()
  await expect(page).not.toHaveURL(/peek=/)
  await expect(page.getByText(/selected$/)).toHaveCount(0)

  // A plain click opens the panel, and the panel the page, which leads on in the order of the list.
  await row(1).getByRole('gridcell').nth(2).click()
  const panel = page.getByRole('region', { name: 'Selected trace' })
  await panel.getByRole('link', { name: 'Open' }).click()
  await expect(page).toHaveURL(new RegExp(second.pathname))
  const steps = page.getByRole('group', { name: 'Steps through the list' })
  await expect(steps).toContainText(/^2 of \d+/)
  await takePicture(page, 'trace-of-a-list')
  await steps.getByRole('button', { name: /^Next trace/ }).click()
  await expect(steps).toContainText(/^3 of \d+/)
  await expect(page).not.toHaveURL(new RegExp(second.pathname))
  await page.keyboard.press('Shift+K')
  await expect(steps).toContainText(/^2 of \d+/)
  await expect(page).toHaveURL(new RegExp(second.pathname))
  await page.goBack()
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toHaveCount(0)

  // Two of them side by side.
  await table.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('x')
  await expect(page.getByText('1 selected')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Compare' })).toHaveCount(0)
  await page.keyboard.press('Shift+J')
  await expect(page.getByText('2 selected')).toBeVisible()
  await page.getByRole('link', { name: 'Compare' }).click()
  await expect(page.getByRole('heading', { name: 'Compare traces' })).toBeVisible()
})

test('values of cells filter, by pointer and by keyboard', async ({ page, demo }) => {
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d`)
  const table = page.getByRole('grid', { name: 'Traces' })
  const bar = page.getByRole('combobox', { name: 'Filter and search' })
  const name = (at: number) => table.locator(`[data-index="${at}"] [data-column="name"]`)
  await expect(name(0)).toBeVisible()
  // An identifier is cut in its middle, but named and copied as one word.
  const cut = table.locator('[data-column="userId"] a').first()
  const whole = (await cut.textContent()) ?? ''
  await expect(cut).toHaveAccessibleName(whole)
  expect(await cut.evaluate(copied)).toBe(whole)

  const called = await name(0).innerText()
  await name(0).hover()
  await page.getByRole('button', { name: 'Filter by this value' }).click()
  await page.getByRole('menuitem', { name: `Exclude ${called}` }).click()
  await expect(bar).toHaveValue(/^-traceName:/)
  await expect(name(0)).not.toHaveText(called)

  await table.focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('f')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await page.getByRole('menuitem', { name: /^Filter by Name: / }).press('Enter')
  await expect(bar).toHaveValue(/^-traceName:\S+ traceName:/)

  // A user is a link of its own, and a value to filter by.
  await open(page, demo, `/project/${demo.project}/sessions?dateRange=7d`)
  const sessions = page.getByRole('grid', { name: 'Sessions' })
  const users = sessions.locator('[data-index="0"] [data-column="users"]')
  await users.hover()
  await page.getByRole('button', { name: 'Filter by this value' }).click()
  await page
    .getByRole('menuitem', { name: /^Filter by / })
    .first()
    .click()
  await expect(page.getByRole('combobox', { name: 'Filter sessions' })).toHaveValue(/^user:/)
  const user = await users.getByRole('link').first().innerText()
  await users.getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`/users/${encodeURIComponent(user)}`))
})

/** What is copied of an element. Runs in the page. */
function copied(element: Element): string {
  getSelection()?.selectAllChildren(element)
  const text = getSelection()?.toString() ?? ''
  getSelection()?.removeAllRanges()
  return text
}
