import type { Page } from '@playwright/test'

/** What has to be in the document: an element, and perhaps a text in it. */
export type Shown = { selector: string; text?: string }

/** When a page that is loaded anew shows something for the first time. */
export async function firstPaint(page: Page, address: string): Promise<number> {
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

/** When a page that is loaded anew shows these. */
export async function loadUntilPainted(page: Page, address: string, ...shown: Shown[]) {
  await page.goto(address, { waitUntil: 'commit' })
  return untilPainted(page, undefined, shown)
}

/** The time from a click until the frame after the one in which these are in the document. */
export async function clickUntilPainted(page: Page, click: string, ...shown: Shown[]) {
  return untilPainted(page, click, shown)
}

function untilPainted(page: Page, click: string | undefined, shown: Shown[]): Promise<number> {
  return page.evaluate(
    ({ click, shown }) =>
      new Promise<number>((done, failed) => {
        const target = click === undefined ? undefined : document.querySelector<HTMLElement>(click)
        if (target === null) return failed(new Error(`there is no ${click}`))
        const isThere = ({ selector, text = '' }: Shown) =>
          [...document.querySelectorAll(selector)].some((each) => each.textContent?.includes(text))
        const from = target ? performance.now() : 0
        const look = () => {
          if (!shown.every(isThere)) return requestAnimationFrame(look)
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => done(performance.now() - from))
          port1.start()
          return port2.postMessage(undefined) // delivered after this frame is painted
        }
        target?.click()
        requestAnimationFrame(look)
      }),
    { click, shown },
  )
}

/** The time from a key until the frame that it causes is painted. */
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
