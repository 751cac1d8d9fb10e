import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'

const pictures = '.pictures'
const wide = { width: 1440, height: 900 }
const narrow = { width: 390, height: 900 }

/**
 * Takes screenshots of the open page in both themes, on a wide screen and on a phone, and checks its accessibility: in
 * the light theme on the wide screen, in the dark theme on the phone. On the narrowest screens, 320 px, nothing may
 * overflow. If it is `compared`, it must look like the accepted pictures, of which there is none for phones in the dark;
 * its data and its clock must then be the same in every run.
 */
export async function takePicture(
  page: Page,
  name: string,
  { whole = false, compared = false } = {},
) {
  const shoot = async (colorScheme: 'light' | 'dark', { width }: { width: number }) => {
    const variant = `${name}-${colorScheme}-${width}`
    await page.emulateMedia({ colorScheme })
    await page.screenshot({ path: `${pictures}/${variant}.png`, fullPage: whole })
    if (compared && !(colorScheme === 'dark' && width === narrow.width))
      expect.soft(await smallPicture(page, { whole })).toMatchSnapshot(`${variant}.webp`)
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

/**
 * A picture of the page at half its size, small enough for the repository, without what differs between two runs: ids
 * and keys, the time of day, ports.
 */
export async function smallPicture(page: Page, { whole = false } = {}): Promise<Buffer> {
  await page.evaluate(coverChance)
  const session = await page.context().newCDPSession(page)
  const { cssContentSize, cssLayoutViewport } = await session.send('Page.getLayoutMetrics')
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 50,
    captureBeyondViewport: whole,
    clip: {
      x: 0,
      y: 0,
      width: cssLayoutViewport.clientWidth,
      height: whole ? cssContentSize.height : cssLayoutViewport.clientHeight,
      scale: 0.5,
    },
  })
  await session.detach()
  await page.evaluate(() => (window as Covered).uncover?.())
  return Buffer.from(data, 'base64')
}

type Covered = { uncover?: () => void }

/** Runs in the page: covers what differs between runs with as many other characters, and hides the caret. */
function coverChance() {
  const cover = (text: string) =>
    text
      .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, '00000')
      .replaceAll(/\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?/g, (time) => time.replaceAll(/\d/g, '0'))
      .replaceAll(/[\w-]{16,}/g, (word) =>
        /\d|^[a-z]{26}$/.test(word) ? 'x'.repeat(word.length) : word,
      )
  const undo: (() => void)[] = []
  // Where a text is in two parts, the end must be covered too.
  for (const end of document.querySelectorAll('bdi > span:last-child')) {
    const start = end.previousElementSibling
    if (!start) continue
    const [first, last] = [start.textContent, end.textContent]
    const covered = cover(first + last)
    if (covered === first + last) continue
    start.textContent = covered.slice(0, first.length)
    end.textContent = covered.slice(first.length)
    // The room for the end depends on its letters.
    const { style } = end.parentElement ?? document.body
    const room = style.getPropertyValue('--end')
    style.setProperty('--end', '7ch')
    undo.push(() => {
      style.setProperty('--end', room)
      start.textContent = first
      end.textContent = last
    })
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node as Text
    if (text.parentElement?.isContentEditable) continue // an editor takes it as typing
    const { data } = text
    const covered = cover(data)
    if (covered === data) continue
    text.data = covered
    undo.push(() => {
      text.data = data
    })
  }
  for (const field of document.querySelectorAll<HTMLInputElement>('input, textarea')) {
    const { value } = field
    const covered = cover(value)
    if (covered === value) continue
    field.value = covered
    undo.push(() => {
      field.value = value
    })
  }
  const style = new CSSStyleSheet()
  style.replaceSync('* { caret-color: transparent !important }')
  document.adoptedStyleSheets.push(style)
  ;(window as Covered).uncover = () => {
    for (const step of undo) step()
    document.adoptedStyleSheets.pop()
  }
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
