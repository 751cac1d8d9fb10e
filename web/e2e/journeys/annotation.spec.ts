import type { Browser, Page } from '@playwright/test'
import {
  ask,
  attributesOf,
  expect,
  newProject,
  open,
  type Ready,
  sendSpans,
  signIn,
  takePicture,
  test,
} from '../test'

const count = 50
const traceId = (n: number) => (0xb000 + n).toString(16).padStart(32, '0')
const password = 'nanoseconds matter'

/** Somebody with the role annotator in the project. */
async function annotator(server: Ready, name: string) {
  const email = `${name}.${server.project}@example.com`.toLowerCase()
  const { link } = await ask<{ link: string }>(
    server,
    'POST',
    `/api/ui/organizations/${server.organization}/invitations`,
    { email, role: 'NONE', projectId: server.project, projectRole: 'ANNOTATOR' },
  )
  const token = new URL(link).pathname.split('/').at(-1)
  await ask({ url: server.url, cookies: [] }, 'POST', `/api/ui/invitations/${token}/accept`, {
    name,
    password,
  })
  const { members } = await ask<{ members: { userId: string; email: string }[] }>(
    server,
    'GET',
    `/api/ui/projects/${server.project}/members`,
  )
  const userId = members.find((member) => member.email === email)?.userId ?? ''
  return { email, password, userId }
}

async function signedInPage(
  browser: Browser,
  server: Ready,
  who: { email: string; password: string },
  viewport: { width: number; height: number },
): Promise<Page> {
  const page = await (await browser.newContext({ viewport })).newPage()
  await page.goto(`${server.url}/auth/sign-in`)
  await signIn(page, who)
  return page
}

const review = (page: Page) => page.getByRole('complementary', { name: 'Review' })

/** Reviews items until there are none, and returns their ids. */
async function reviewAll(page: Page, answer: (page: Page, n: number) => Promise<void>) {
  const seen: string[] = []
  for (;;) {
    const end = page.getByText(/^(Everything is reviewed|Nothing left for you)$/)
    await expect(review(page).or(end)).toBeVisible()
    if (await end.isVisible()) return seen
    await page.waitForURL(/\/items\/[^/?]+/)
    const here = page.url()
    const id = here.split('/').at(-1) ?? ''
    expect(seen, 'an item comes twice').not.toContain(id)
    seen.push(id)
    await expect(review(page).getByRole('button', { name: 'Complete' })).toBeEnabled()
    await answer(page, seen.length)
    await page.waitForURL((url) => url.href !== here)
  }
}

type Items = { data: { id: string; status: string }[]; meta: { totalItems: number } }
type Scores = {
  data: { configId: string; value: unknown; authorUserId: string }[]
  meta: { cursor?: string }
}

test('two annotators review a queue of fifty, one by keys and one on a phone', async ({
  page,
  browser,
  server,
}) => {
  test.setTimeout(120_000)
  const project = await newProject(server, 'annotated by two')
  const from = Date.now() - 3_600_000
  await sendSpans(
    project,
    Array.from({ length: count }, (_, n) => ({
      traceId: traceId(n),
      spanId: (n + 1).toString(16).padStart(16, '0'),
      name: `answer ${n}`,
      startTimeUnixNano: `${from + n * 1000}000000`,
      endTimeUnixNano: `${from + n * 1000 + 500}000000`,
      attributes: attributesOf({
        'langfuse.observation.input': `question ${n}`,
        'langfuse.observation.output': `the answer to question ${n}`,
      }),
      status: {},
    })),
  )
  const base = `/api/ui/projects/${project.project}`
  await ask(project, 'POST', `${base}/score-configs`, { name: 'polite', dataType: 'BOOLEAN' })
  const [ada, grace] = [await annotator(project, 'ada'), await annotator(project, 'grace')]

  // The owner creates the queue, fills it and assigns both.
  await open(page, project, `/project/${project.project}/annotation-queues`)
  await page.getByRole('button', { name: 'Create a queue' }).click()
  const dialog = page.getByRole('dialog', { name: 'New annotation queue' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Tone')
  await dialog.getByRole('textbox', { name: 'Instructions' }).fill('Is the answer polite?')
  await dialog.getByRole('button', { name: /What is scored/ }).click()
  await page.getByRole('option', { name: /polite/ }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Create queue' }).click()
  await page.getByRole('link', { name: 'Tone', exact: true }).click()
  await page.getByRole('button', { name: 'Add items' }).first().click()
  const adding = page.getByRole('dialog', { name: 'Add items' })
  await adding
    .getByRole('textbox', { name: 'Ids' })
    .fill(Array.from({ length: count }, (_, n) => traceId(n)).join('\n'))
  await adding.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(adding).toHaveCount(0)
  await page.getByRole('button', { name: 'People' }).click()
  for (const name of ['ada', 'grace']) {
    await page.getByRole('button', { name: /Assign somebody/ }).click()
    await page.getByRole('option', { name: new RegExp(`^${name}`) }).click()
    await expect(page.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  }
  await page.keyboard.press('Escape')
  const queue = page.url().split('/').at(-1) ?? ''

  const desk = await signedInPage(browser, project, ada, { width: 1440, height: 900 })
  const phone = await signedInPage(browser, project, grace, { width: 390, height: 844 })
  // They land on the queues, and see nothing else.
  for (const each of [desk, phone]) {
    await each.getByRole('link', { name: 'annotated by two' }).click()
    await each.waitForURL(/\/annotation-queues$/)
    await each.getByRole('link', { name: 'Review Tone' }).click()
  }
  await expect(review(desk)).toBeVisible()
  await takePicture(desk, 'review')
  const [byAda, byGrace] = await Promise.all([
    reviewAll(desk, async (each) => {
      await each.keyboard.press('1')
      await each.keyboard.press('Enter')
    }),
    reviewAll(phone, async (each) => {
      await review(each).getByRole('button', { name: /No/ }).click()
      await review(each).getByRole('button', { name: 'Complete' }).click()
    }),
  ])
  expect(byAda.length).toBeGreaterThan(0)
  expect(byGrace.length).toBeGreaterThan(0)
  expect(new Set([...byAda, ...byGrace]).size).toBe(count)
  expect(byAda.length + byGrace.length).toBe(count)

  const { meta } = await ask<Items>(
    project,
    'GET',
    `${base}/annotation-queues/${queue}/items?status=COMPLETED`,
  )
  expect(meta.totalItems).toBe(count)
  const scores = await ask<Scores>(
    project,
    'GET',
    `${base}/v3/scores?limit=100&fields=details,annotation`,
  )
  const given = (by: string, value: boolean) =>
    scores.data.filter((score) => score.authorUserId === by && score.value === value).length
  expect(given(ada.userId, true)).toBe(byAda.length)
  expect(given(grace.userId, false)).toBe(byGrace.length)
  expect(scores.data).toHaveLength(count)

  // The last one was a mistake: U takes it back, and the other value replaces the first.
  await desk.keyboard.press('u')
  const yes = review(desk).getByRole('button', { name: /Yes/ })
  await expect(yes).toHaveAttribute('aria-pressed', 'true')
  await desk.keyboard.press('2')
  await desk.keyboard.press('Enter')
  await expect(desk.getByText('Everything is reviewed')).toBeVisible()
  const after = await ask<Scores>(
    project,
    'GET',
    `${base}/v3/scores?limit=100&fields=details,annotation`,
  )
  expect(after.data).toHaveLength(count)
  expect(after.data.filter((score) => score.value === true)).toHaveLength(byAda.length - 1)

  await page.reload()
  await expect(page.getByRole('grid', { name: 'Items' })).toContainText('ada')
  await takePicture(page, 'annotation-items')
  await desk.context().close()
  await phone.context().close()
})
