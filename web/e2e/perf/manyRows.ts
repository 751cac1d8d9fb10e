import type { Locator, Page } from '@playwright/test'

/**
 * Mocks the list of a project's API keys with many that do not exist: the page is real, its list is as long as wanted.
 */
export async function pretendKeys(page: Page, count: number) {
  const apiKeys = Array.from({ length: count }, (_, index) => ({
    id: `key-${index}`,
    createdAt: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
    expiresAt: null,
    lastUsedAt: null,
    note: `Key ${index}`,
    publicKey: `pk-lf-${String(index).padStart(8, '0')}`,
    displaySecretKey: 'sk-lf-...0000',
    permissions: [],
  }))
  await page.route('**/api/ui/projects/*/apiKeys', (route) => route.fulfill({ json: { apiKeys } }))
}

/** What happened while a list was scrolled. */
export type Scrolling = {
  framesPerSecond: number
  /** Tasks of more than 50 ms, in ms. */
  longTasks: number[]
  /** The largest number of rows in the DOM at a time. */
  mostRows: number
  /** The scrolled distance in pixels. */
  distance: number
}

/** Scrolls a list steadily for some seconds, as a wheel does: a bit in each frame. */
export async function scrollList(list: Locator, seconds: number): Promise<Scrolling> {
  return list.evaluate(
    (grid, duration) =>
      new Promise<Scrolling>((done) => {
        const step = 60 // pixels per frame: about 100 rows a second
        const longTasks: number[] = []
        const observer = new PerformanceObserver((list) =>
          longTasks.push(...list.getEntries().map((entry) => entry.duration)),
        )
        observer.observe({ entryTypes: ['longtask'] })
        let frames = 0
        let mostRows = 0
        const from = performance.now()
        const frame = () => {
          mostRows = Math.max(mostRows, grid.querySelectorAll('[role=row], [role=treeitem]').length)
          const passed = performance.now() - from
          if (passed >= duration) {
            observer.disconnect()
            done({
              framesPerSecond: (frames * 1000) / passed,
              longTasks,
              mostRows,
              distance: grid.scrollTop,
            })
            return
          }
          frames++
          grid.scrollTop += step
          requestAnimationFrame(frame)
        }
        requestAnimationFrame(frame)
      }),
    seconds * 1000,
  )
}
