import { createServer, request as ask } from 'node:http'
import { expect, open, sendTrace, settled, test } from '../test'

// The application names its scripts by the host of the request, which may be another one here.
test('the application works behind a proxy that does not pass on the host', async ({
  page,
  server,
}) => {
  const traceId = 'c9'.repeat(16)
  const steps = Array.from({ length: 4000 }, (_, step) => ({ step, note: 'what was found there' }))
  await sendTrace(server, {
    traceId,
    name: 'far away',
    attributes: { 'langfuse.observation.output': JSON.stringify({ steps }) },
  })
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, host: 'backend.example:3000' }
    const passed = ask(server.url + asked.url, { method: asked.method, headers }, (got) => {
      answer.writeHead(got.statusCode ?? 500, got.headers)
      got.pipe(answer)
    })
    asked.pipe(passed)
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const address = proxy.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const url = `http://127.0.0.1:${port}`
  expect((await fetch(url)).headers.get('Content-Security-Policy')).toContain(
    ' backend.example:3000/assets/;',
  )
  // Pages are loaded by the first one's scripts, and a worker reads the JSON.
  await open(page, { ...server, url }, '/')
  await settled(page)
  await page.goto(`${url}/project/${server.project}/traces/${traceId}`)
  await page
    .getByRole('treeitem', { name: /far away/ })
    .last()
    .click()
  const output = page.getByRole('region', { name: 'Output', exact: true })
  await output.getByRole('button', { name: 'Load the rest' }).click()
  await expect(output.getByRole('tree', { name: 'Output' }).getByText('steps')).toBeVisible()
  await page.close()
  proxy.closeAllConnections()
  await new Promise((done) => proxy.close(done))
})

test('the API reference runs its own scripts only', async ({ page, server }) => {
  await page.goto(`${server.url}/api/docs`)
  await expect(page.getByRole('heading', { name: /Almanac/ })).toBeVisible()
  await expect(page.locator('.opblock-summary').first()).toBeVisible()
  const policy = (await fetch(`${server.url}/api/docs`)).headers.get('Content-Security-Policy')
  expect(policy).toMatch(/script-src 'nonce-\w+'; style-src-elem 'nonce-\w+'; /)
})
