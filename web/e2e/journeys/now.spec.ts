import type { Page } from '@playwright/test'
import { startServer } from '../server'
import { expect, open, sendTrace, setUp, test } from '../test'

test('home and traces show the first trace by themselves, and agree', async ({ page, context }) => {
  const fresh = await startServer()
  await page.goto(fresh.setUpAddress)
  await setUp(page, fresh)
  const home = page.url()
  await expect(page.getByText(/waiting for the first trace/i)).toBeVisible()
  const traces = await context.newPage()
  await traces.goto(`${home}/traces`)
  await expect(traces.getByText(/waiting for the first trace/i)).toBeVisible()

  await sendTrace(fresh, { traceId: 'c3'.repeat(16), name: 'the first one' })
  const row = traces.getByRole('grid', { name: 'Traces' }).getByText('the first one')
  await expect(row).toBeVisible()
  await expect(traces.getByRole('status').filter({ hasText: /^1 trace$/ })).toBeVisible()
  await page.bringToFront()
  await expect(
    page.getByRole('grid', { name: 'Latest traces' }).getByText('the first one'),
  ).toBeVisible()
  // The figures are those of the same moment, not of one before the trace.
  await expect(page.getByRole('link', { name: /^Traces\b.*\b1\b/ }).first()).toBeVisible()
  await fresh.stop()
})

test('a table that is shown again ends now, not when it was left', async ({ page, demo }) => {
  const end = () =>
    page
      .waitForRequest(/\/query\/histogram$/)
      .then((request) => Date.parse((request.postDataJSON() as { to: string }).to))
  const first = end()
  await open(page, demo, `/project/${demo.project}/traces?dateRange=24h`)
  await first
  await page.getByRole('img', { name: /traces over time/ }).waitFor()

  const reloadedAt = Date.now()
  const second = end()
  await page.reload()
  expect(await second).toBeGreaterThanOrEqual(reloadedAt)
  await page.getByRole('img', { name: /traces over time/ }).waitFor()

  const returnedAt = Date.now()
  const third = end()
  await returnFromCache(page)
  expect(await third).toBeGreaterThanOrEqual(returnedAt)
})

test('a reloaded home ends now', async ({ page, demo }) => {
  const figures = page.getByRole('grid', { name: 'Latest traces' })
  await open(page, demo, `/project/${demo.project}`)
  await figures.waitFor()
  const reloadedAt = Date.now()
  // The range before this one is asked for as well.
  const ends: number[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (!pathname.endsWith('/v2/metrics')) return
    const query = JSON.parse(searchParams.get('query') ?? '{}') as { toTimestamp: string }
    ends.push(Date.parse(query.toTimestamp))
  })
  await page.reload()
  await figures.waitFor()
  await expect.poll(() => Math.max(...ends)).toBeGreaterThanOrEqual(reloadedAt)
})

/** What a browser tells a page that it kept in memory when the user goes back to it. */
function returnFromCache(page: Page) {
  return page.evaluate(() =>
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
  )
}
