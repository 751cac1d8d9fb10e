import type { Page } from '@playwright/test'
import { ask, attributesOf, expect, newProject, open, sendSpans, takePicture, test } from '../test'

const count = 20
const traceId = (n: number) => (0xa00 + n).toString(16).padStart(32, '0')

const scoring = (page: Page) => page.getByRole('complementary', { name: 'Scoring' })
const value = (page: Page, name: RegExp) => scoring(page).getByRole('button', { name })

type Scores = { data: { name: string; value: unknown; comment: string | null }[] }

test('twenty traces are scored with two keys each, beside their texts', async ({
  page,
  server,
}) => {
  test.setTimeout(180_000)
  const project = await newProject(server, 'scored with keys')
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
  await ask(project, 'POST', `${base}/score-configs`, { name: 'helpful', dataType: 'BOOLEAN' })
  const scores = () => ask<Scores>(project, 'GET', `${base}/v3/scores?limit=100&fields=details`)

  await open(page, project, `/project/${project.project}/traces`)
  await page.getByRole('row', { name: /answer 19/ }).click()
  await expect(page.getByRole('region', { name: 'Selected trace' })).toBeVisible()
  await page.getByRole('button', { name: 'Score (S)' }).click()
  for (let n = count - 1; n >= 0; n -= 1) {
    await expect(page).toHaveURL(new RegExp(`peek=${traceId(n)}`))
    await expect(scoring(page)).toContainText(`answer ${n}`)
    await expect(value(page, /Yes/)).toBeEnabled()
    await expect(value(page, /Yes/)).toHaveAttribute('aria-pressed', 'false')
    if (n === 10) await takePicture(page, 'scoring-peek')
    await page.keyboard.press(n % 2 === 0 ? '1' : '2')
    await expect(value(page, n % 2 === 0 ? /Yes/ : /No/)).toHaveAttribute('aria-pressed', 'true')
    if (n > 0) await page.keyboard.press('n')
  }
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect.poll(async () => (await scores()).data.length).toBe(count)
  const given = (await scores()).data
  expect(given.filter((score) => score.value === true)).toHaveLength(count / 2)

  // The last one was a mistake; then with a comment, and for the observation instead of the trace.
  await page.keyboard.press('u')
  await expect(value(page, /Yes/)).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(async () => (await scores()).data.length).toBe(count - 1)
  await page.keyboard.press('c')
  await page.keyboard.type('too short')
  await page.keyboard.press('Escape')
  await page.keyboard.press('2')
  await expect
    .poll(async () => (await scores()).data.find(({ comment }) => comment === 'too short')?.value)
    .toBe(false)

  // On a page of its own, the list goes on; the text stays in sight beside the panel.
  await page.getByRole('link', { name: 'Open' }).click()
  await page.waitForURL(new RegExp(`/traces/${traceId(0)}`))
  await expect(scoring(page)).toContainText('answer 0')
  await expect(page.getByText('the answer to question 0')).toBeVisible()
  await takePicture(page, 'scoring-page')
  await page.keyboard.press('p')
  await page.waitForURL(new RegExp(`/traces/${traceId(1)}`))
  await expect(scoring(page)).toContainText('answer 1')
  await expect(value(page, /No/)).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('j')
  await expect(scoring(page)).toContainText('Score the observation')
  await expect(value(page, /No/)).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Undo the last score')
  await page.keyboard.press('Escape')
  await page.keyboard.press('s')
  await expect(scoring(page)).toHaveCount(0)
})
