import type { Page } from '@playwright/test'
import { ask, expect, fileAddress, newProject, open, sendFile, sendTrace, test } from '../test'
import type { Ready } from '../test'

/** What an attacker wants to run as the owner: it makes an API key, and the title says with which rights it runs. */
const attack = ({ url, project }: Ready) => `
  document.title = 'runs at ' + self.origin
  fetch('${url}/api/ui/projects/${project}/apiKeys', {
    method: 'POST',
    credentials: 'include',
    headers: { 'Content-Type': 'application/json', 'X-Almanac-CSRF': '1' },
    body: JSON.stringify({ note: 'owned' }),
  })`

/** A picture that contains the script and also loads it from the server. */
const picture = (server: Ready, script: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="teal"/>
   <script href="${script.replaceAll('&', '&amp;')}"/><script>${attack(server)}</script></svg>`

/** A document of another XML type that loads it. */
const xhtml = (script: string) =>
  `<html xmlns="http://www.w3.org/1999/xhtml"><script src="${script.replaceAll('&', '&amp;')}"/></html>`

const inBase64 = (type: string, text: string) =>
  `data:${type};base64,${Buffer.from(text).toString('base64')}`

/** Opens an address in a new tab, as the context menu of a picture or a middle click does. No script of it has rights. */
async function expectNoRights(page: Page, server: Ready, address: string) {
  const tab = await page.context().newPage()
  const answered: string[] = []
  tab.on('response', (answer) => {
    if (answer.url().includes('/api/ui/')) answered.push(`${answer.url()}: ${answer.status()}`)
  })
  await tab.goto(address).catch((error: unknown) => {
    // Chromium does not navigate to what it downloads.
    if (!/Download is starting|ERR_ABORTED/.test(String(error))) throw error
  })
  expect(await tab.title(), address).not.toBe(`runs at ${server.url}`)
  expect(answered.filter((each) => !/: 4\d\d$/.test(each))).toEqual([])
  await tab.close()
}

async function expectNoKey(server: Ready) {
  const { apiKeys } = await ask<{ apiKeys: { note: string | null }[] }>(
    server,
    'GET',
    `/api/ui/projects/${server.project}/apiKeys`,
  )
  expect(apiKeys.map((key) => key.note)).not.toContain('owned')
}

test('files and pictures of a trace run no script, wherever they are opened', async ({
  page,
  server,
  problems,
}) => {
  test.setTimeout(120_000)
  const ours = await newProject(server, 'Pictures')
  const traceId = 'b7'.repeat(16)
  const file = (type: string, text: string) =>
    sendFile(ours, { traceId, type, content: Buffer.from(text) })
  const script = await fileAddress(ours, await file('application/javascript', attack(ours)))
  const stored = {
    svg: await file('image/svg+xml', picture(ours, script)),
    html: await file('text/html', `<script>${attack(ours)}</script>`),
    xml: await file('application/xml', xhtml(script)),
  }
  const embedded = [
    inBase64('image/svg+xml', picture(ours, script)),
    `data:image/svg+xml,${encodeURIComponent(picture(ours, script).replace('teal', 'navy'))}`,
    inBase64('image/x+xml', xhtml(script)),
    inBase64('video/x+xml', xhtml(script)),
    inBase64('text/html', `<script src="${script}"></script>`),
    inBase64('application/pdf', `<script src="${script}"></script>`),
  ]
  await sendTrace(ours, {
    traceId,
    name: 'look',
    attributes: {
      'langfuse.observation.input': JSON.stringify([
        { role: 'user', content: Object.values(stored).join(' and ') },
        ...embedded.map((url) => ({
          role: 'user',
          content: [{ type: 'image_url', image_url: { url } }],
        })),
      ]),
    },
  })
  await open(page, server, `/project/${ours.project}/traces/${traceId}`)
  await page.getByRole('treeitem', { name: /look/ }).last().click()
  const input = page.getByRole('region', { name: 'Input', exact: true })
  // Pictures are shown, all three of them: as the file, and twice in the text.
  await expect
    .poll(() =>
      input
        .locator('img')
        .evaluateAll(
          (all) => all.filter((one) => (one as HTMLImageElement).naturalWidth === 40).length,
        ),
    )
    .toBe(3)
  const addresses = await input
    .locator('img, a[download], iframe, video, audio')
    .evaluateAll((all) =>
      all.map((one) => one.getAttribute('src') ?? one.getAttribute('href') ?? ''),
    )
  expect(addresses.length).toBeGreaterThan(9)
  for (const address of new Set(addresses)) await expectNoRights(page, ours, address)
  for (const reference of Object.values(stored))
    await expectNoRights(page, ours, await fileAddress(ours, reference))
  await expectNoKey(ours)

  // A document of our origin, under the policy of our page, does not load the script: the policy names only ours.
  problems.splice(0)
  const [tab] = await Promise.all([
    page.waitForEvent('popup'),
    page.evaluate(
      (text) => {
        window.open(URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })))
      },
      picture(ours, script),
    ),
  ])
  await tab.waitForLoadState()
  expect(tab.url()).toMatch(/^blob:/)
  expect(await tab.title()).toBe('')
  await expectNoKey(ours)
  const refused = problems.splice(0)
  expect(refused.filter((each) => each.includes('script-src'))).toHaveLength(2)
})
