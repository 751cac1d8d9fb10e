import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const pictures = '.pictures'
const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 900 }

/**
 * Takes screenshots of the open page in both themes, on a wide screen and on a phone, and checks its accessibility: in
 * the light theme on the wide screen, in the dark theme on the phone. On the narrowest screens, 320 px, nothing may
 * overflow.
 */
export async function takePicture(page: Page, name: string, { whole = false } = {}) {
  const shoot = async (colorScheme: 'light' | 'dark', { width }: { width: number }) => {
    await page.emulateMedia({ colorScheme })
    await page.screenshot({
      path: `${pictures}/${name}-${colorScheme}-${width}.png`,
      fullPage: whole,
    })
  }
  await page.setViewportSize(wide)
  await shoot('dark', wide)
  await shoot('light', wide)
  await expectAccessible(page)
  await page.setViewportSize(narrow)
  await shoot('light', narrow)
  await shoot('dark', narrow)
  await expectAccessible(page)
  await page.setViewportSize({ width: 320, height: 640 })
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(excess, `${name} is ${excess} px wider than 320 px`).toBeLessThanOrEqual(0)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(wide)
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Checks the accessibility of the page by the rules of WCAG 2.2 AA. */
export async function expectAccessible(page: Page) {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axeSource)
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: Axe }
    // React Aria makes announcements through an unnamed image in a log that is not visible.
    const context = { exclude: [['[role=log]']] }
    const result = await axe.run(context, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
      resultTypes: ['violations'], // leave out the rules that pass
    })
    return (
      result.violations
        .filter((v) => v.impact === 'serious' || v.impact === 'critical')
        // The results of the palette scroll with the arrow keys of its field, which keeps the focus.
        .filter((v) => v.nodes.some((n) => !n.html.includes('aria-label="Results"')))
        .map((v) => `${v.id}: ${v.help} (${v.nodes.map((n) => n.html.slice(0, 200)).join(' | ')})`)
    )
  })
  expect(violations).toEqual([])
}

type Axe = { run: (context: object, options: object) => Promise<AxeResult> }

type AxeResult = {
  violations: { id: string; impact: string | null; help: string; nodes: { html: string }[] }[]
}
