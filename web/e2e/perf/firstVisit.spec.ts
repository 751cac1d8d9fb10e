import type { Page, Request } from '@playwright/test'
import { expect, open, test } from '../test'

/** The requests that a page has sent, in order, by what they are for. */
function follow(page: Page) {
  const sent: Request[] = []
  page.on('request', (request) => sent.push(request))
  const to = (pattern: RegExp) => sent.filter((each) => pattern.test(each.url()))
  return {
    scripts: () => to(/\/assets\/[^/]+\.js$/).map((each) => each.url()),
    rows: () => to(/\/query\/traces$/),
    session: () => to(/\/api\/ui\/auth\/session$/),
  }
}

const pageCode = /\/assets\/(?:traceList|traces|common)-[^/]+\.js$/

test('a first visit of the traces takes few files, each requested once', async ({ page, demo }) => {
  const sent = follow(page)
  await open(page, demo, `/project/${demo.project}/traces?dateRange=7d`)
  await page.locator('[role=grid] [data-index="0"]').waitFor()
  const scripts = sent.scripts()
  expect(scripts.length).toBeLessThanOrEqual(12)
  expect(scripts).toEqual([...new Set(scripts)])
  expect(scripts.filter((each) => pageCode.test(each)).length).toBeGreaterThan(1)
  // What is requested ahead is what the page then asks for.
  expect(sent.rows()).toHaveLength(1)
  expect(sent.session()).toHaveLength(1)
})

test('the rows are requested while the code of the page and the session are not there yet', async ({
  page,
  demo,
}) => {
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const isHeld = (url: URL) => pageCode.test(url.pathname) || url.pathname.endsWith('/auth/session')
  await page.route(isHeld, async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/\/query\/traces$/)
  const filter = encodeURIComponent('level;stringOptions;;any of;ERROR')
  const address = `/project/${demo.project}/traces?dateRange=7d&filter=${filter}&sort=latency.desc`
  await page.context().addCookies(demo.cookies)
  await page.goto(demo.url + address, { waitUntil: 'commit' })
  const { filter: conditions, order, from } = (await asked).postDataJSON() as Record<string, object>
  expect(conditions).toEqual([
    { type: 'stringOptions', column: 'level', operator: 'any of', value: ['ERROR'] },
  ])
  expect(order).toEqual({ column: 'latency', direction: 'desc' })
  expect(from).toMatch(/^\d{4}-/)
  const sent = follow(page)
  release()
  await page.locator('[role=grid] [data-index="0"]').waitFor()
  await expect(page.getByRole('checkbox', { name: /^ERROR/ })).toBeChecked()
  expect(sent.rows()).toEqual([]) // and not asked for again
})

test('the code of a page is announced with the document', async ({ page, demo }) => {
  await page.context().addCookies(demo.cookies)
  const announced = async (path: string) => {
    const html = await (await page.request.get(`${demo.url}/project/${demo.project}${path}`)).text()
    return [...html.matchAll(/modulepreload" crossorigin href="([^"]+)"/g)].map(([, each]) => each)
  }
  const traces = await announced('/traces')
  expect(traces.filter((each) => pageCode.test(each ?? '')).length).toBeGreaterThan(1)
  expect(await announced('/traces/0123')).toContainEqual(expect.stringMatching(/\/trace-/))
  expect(await announced('')).toContainEqual(expect.stringMatching(/\/LatestTraces-|\/Overview-/))
})
