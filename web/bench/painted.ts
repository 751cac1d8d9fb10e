import type { Page } from '@playwright/test'

/** What has to be in the document: an element, and perhaps a text in it. */
export type Shown = { selector: string; text?: string }

/** The first contentful paint of a reloaded page. The previous page is idle by then, as it is for people. */
export async function firstPaint(page: Page, address: string): Promise<number> {
  await page.waitForLoadState('networkidle')
  await page.goto(address)
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => {
          const paint = list.getEntriesByName('first-contentful-paint')[0]
          if (paint) done(paint.startTime)
        }).observe({ type: 'paint', buffered: true })
      }),
  )
}

/** The time until a reloaded page shows these. */
export async function loadUntilPainted(page: Page, address: string, ...shown: Shown[]) {
  await page.goto(address, { waitUntil: 'commit' })
  return untilPainted(page, undefined, shown)
}

/** The time from a click until the frame after the one in which these are in the document. */
export async function clickUntilPainted(page: Page, click: Shown, ...shown: Shown[]) {
  return untilPainted(page, click, shown)
}

function untilPainted(page: Page, click: Shown | undefined, shown: Shown[]): Promise<number> {
  return page.evaluate(
    ({ click, shown }) =>
      new Promise<number>((done, failed) => {
        const find = ({ selector, text = '' }: Shown) =>
          [...document.querySelectorAll<HTMLElement>(selector)].find((each) =>
            each.textContent?.includes(text),
          )
        const isThere = (each: Shown) => find(each) !== undefined
        const target = click && find(click)
        if (click && !target) return failed(new Error(`there is no ${click.selector}`))
        setTimeout(() => failed(new Error(`no ${shown[0]?.text} in 30 s`)), 30_000)
        const from = target ? performance.now() : 0
        const look = () => {
          if (!shown.every(isThere)) return requestAnimationFrame(look)
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => done(performance.now() - from))
          port1.start()
          return port2.postMessage(undefined) // delivered after this frame is painted
        }
        ;(target?.querySelector('input') ?? target)?.click() // a click on a label alone does nothing
        requestAnimationFrame(look)
      }),
    { click, shown },
  )
}

/** The time from a key press until the resulting frame is painted. */
export async function keyUntilPainted(page: Page, key: string): Promise<number> {
  const painted = await page.evaluateHandle(() => ({
    time: new Promise<number>((done) => {
      const onKey = (event: KeyboardEvent) =>
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => done(performance.now() - event.timeStamp))
          port1.start()
          port2.postMessage(undefined)
        })
      document.addEventListener('keydown', onKey, { capture: true, once: true })
    }),
  }))
  await page.keyboard.press(key)
  return painted.evaluate(({ time }) => time)
}
