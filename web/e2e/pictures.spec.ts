import { mkdirSync } from 'node:fs'
import { expect, expectAccessible, open, test } from './test'

/** Pages by the name of their picture. `{p}` is the project, `{o}` its organization. */
const pages = {
  home: '/project/{p}',
  organizations: '/',
  organization: '/organization/{o}',
  'organization-members': '/organization/{o}/settings/members',
  'organization-audit': '/organization/{o}/settings/audit-logs',
  'project-settings': '/project/{p}/settings',
  'project-keys': '/project/{p}/settings/api-keys',
  'project-members': '/project/{p}/settings/members',
  'project-models': '/project/{p}/settings/models',
  'project-connections': '/project/{p}/settings/llm-connections',
  'project-scores': '/project/{p}/settings/scores',
  account: '/account/settings',
}

const folder = '.pictures'
mkdirSync(folder, { recursive: true })

for (const scheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`every page, ${scheme}, ${width} px`, async ({ page, server }) => {
      test.setTimeout(180_000)
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await open(page, server, '/')
      for (const [name, path] of Object.entries(pages)) {
        await page.goto(
          server.url + path.replace('{p}', server.project).replace('{o}', server.organization),
        )
        await page.waitForLoadState('networkidle')
        await expect(page.locator('h1').first()).toBeVisible()
        await page.screenshot({ path: `${folder}/${name}-${scheme}-${width}.png` })
        const wide = await page.evaluate(
          () => document.documentElement.scrollWidth - window.innerWidth,
        )
        expect(wide, `${name} is ${wide} px wider than the window`).toBeLessThanOrEqual(0)
        await expectAccessible(page)
      }
    })
  }
}
