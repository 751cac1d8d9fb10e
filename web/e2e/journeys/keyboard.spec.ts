import { expect, open, test } from '../test'

test('the palette goes anywhere without a mouse', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}`)
  await expect(page.locator('h1').first()).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.type('api keys')
  await page.keyboard.press('Enter')
  await page.waitForURL(/settings\/api-keys/)
})

test('the question mark shows the keys, and Escape puts them away', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}`)
  await expect(page.locator('h1').first()).toBeVisible()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
