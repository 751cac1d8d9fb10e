import { contents } from '../../src/features/docs/model/contents'
import { expect, go, open, settled, takePicture, test } from '../test'

const pages = contents.flatMap((group) => group.pages)

test('a visitor finds something in the documentation', async ({ page, server }) => {
  await page.goto(`${server.url}/docs`)
  await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible()
  await takePicture(page, 'docs')
  await page.keyboard.press('/')
  await page.keyboard.type('almanac backup')
  await page.waitForURL(/\/docs\?q=almanac%20backup$/)
  const found = page.getByRole('main').getByRole('listitem')
  await expect(found.first()).toContainText('Backup')
  await expect(found.first().locator('mark').first()).toBeVisible()
  await takePicture(page, 'docs-search')
  await found.first().getByRole('link').click()
  await page.waitForURL(/\/docs\/operations#backup$/)
  const heading = page.getByRole('heading', { name: /^Backup/ })
  await expect(heading).toBeInViewport()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  // Below the bar, not behind it.
  expect((await heading.boundingBox())?.y).toBeGreaterThan(40)
  await page.goBack()
  await expect(found.first()).toContainText('Backup')
  await page.getByRole('searchbox').fill('zzzz nothing')
  await expect(page.getByText('Nothing found for “zzzz nothing”')).toBeVisible()
  await page.getByRole('link', { name: 'Almanac documentation' }).click()
  await expect(page.getByRole('heading', { name: 'Documentation', level: 1 })).toBeVisible()
})

test('every page fits on a phone, with its pictures', async ({ page, server }) => {
  test.setTimeout(180_000)
  await page.goto(`${server.url}/docs`)
  await settled(page)
  await page.setViewportSize({ width: 390, height: 800 })
  for (const { page: name, title } of pages) {
    await go(page, `/docs/${name}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    const excess = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    )
    expect(excess, `${name} is ${excess} px wider than a phone`).toBeLessThanOrEqual(0)
    for (const picture of await page.getByRole('article').getByRole('img').all()) {
      await picture.scrollIntoViewIfNeeded()
      await expect
        .poll(() => picture.evaluate((each) => (each as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(100)
    }
  }
  await page.getByText('All pages').click()
  await page.getByRole('link', { name: 'Playground' }).first().click()
  await page.waitForURL(/\/docs\/playground$/)
})

test('pages of the documentation in both themes, wide and narrow', async ({ page, server }) => {
  test.setTimeout(180_000)
  await page.goto(`${server.url}/docs`)
  await settled(page)
  // A walk with pictures, code and lists, wide tables, and headings at three levels.
  for (const name of ['web', 'sending-traces', 'configuration', 'sign-in']) {
    await go(page, `/docs/${name}`)
    await takePicture(page, `docs-${name}`)
  }
})

test('links between pages, and those of a page to its parts, lead there', async ({
  page,
  server,
}) => {
  await page.goto(`${server.url}/docs/finding.md#one-trace`)
  await page.waitForURL(/\/docs\/finding(?:#one-trace)?$/)
  await page.goto(`${server.url}/docs/limits#restarts-and-several-servers`)
  await expect(page.getByRole('heading', { name: /^Restarts/ })).toBeInViewport()
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await contents.getByRole('link', { name: 'Instance-wide limits' }).click()
  await expect(page.getByRole('heading', { name: /^Instance-wide/ })).toBeInViewport()
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Retention' })
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Retention')
  // At the top of the new page, however far the old one was scrolled.
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  await page.goto(`${server.url}/docs/no-such-page`)
  await expect(page.getByText('The documentation has no such page')).toBeVisible()
})

test('a page of the application leads to what is written about it', async ({ page, server }) => {
  await open(page, server, `/project/${server.project}/settings/api-keys`)
  await page.getByRole('button', { name: 'What is this page?' }).click()
  const opened = page.context().waitForEvent('page')
  await page.getByRole('dialog').getByRole('link', { name: 'Read more' }).click()
  const docs = await opened
  await expect(docs.getByRole('heading', { name: /^What a key of a project/ })).toBeInViewport()
  await expect(page.getByRole('dialog')).toBeVisible()
})
