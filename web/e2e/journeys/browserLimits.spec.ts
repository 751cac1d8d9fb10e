import { expect, go, open, sendTrace, settled, test } from '../test'

test('a key that is held steps on, although the browser limits calls of the history', async ({
  page,
  demo,
}) => {
  test.setTimeout(180_000)
  // As Safari does.
  await page.addInitScript(() => {
    const calls: number[] = []
    for (const name of ['pushState', 'replaceState'] as const) {
      const original = History.prototype[name]
      History.prototype[name] = function (...call) {
        calls.push(performance.now())
        if (calls.filter((at) => performance.now() - at < 10_000).length > 100)
          throw new DOMException('more than 100 times per 10 seconds', 'SecurityError')
        return original.apply(this, call)
      }
    }
  })
  await open(page, demo, `/project/${demo.project}/traces`)
  await settled(page)
  await page.getByRole('grid').focus()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/peek=/)
  for (let step = 0; step < 130; step++) await page.keyboard.press(step % 2 === 0 ? 'j' : 'k')
  await page.keyboard.press('j')
  await expect(page.getByText('Something went wrong on this page')).toHaveCount(0)
  await expect(page.getByRole('grid')).toBeVisible()
  // The way to another page and back still works.
  await go(page, `/project/${demo.project}/sessions`)
  await page.goBack()
  await settled(page)
  await expect(page.getByRole('grid')).toBeVisible()
})

test('a worker whose file is gone after an update is reported', async ({ page, server }) => {
  const traceId = 'd3'.repeat(16)
  const steps = Array.from({ length: 9000 }, (_, step) => ({ step, note: 'what was found there' }))
  await sendTrace(server, {
    traceId,
    name: 'long',
    attributes: { 'langfuse.observation.output': JSON.stringify({ steps }) },
  })
  await page.route(/assets\/indexWorker/, (route) => route.fulfill({ status: 404, body: '{}' }))
  await open(page, server, `/project/${server.project}/traces/${traceId}`)
  await page.getByRole('treeitem', { name: /long/ }).last().click()
  const output = page.getByRole('region', { name: 'Output', exact: true })
  await output.getByRole('button', { name: 'Load the rest' }).click()
  await expect(output.getByRole('button', { name: 'Reload' })).toBeVisible()
})
