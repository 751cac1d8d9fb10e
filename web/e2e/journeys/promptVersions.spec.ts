import type { Locator, Page } from '@playwright/test'
import {
  ask,
  asProgram,
  expect,
  expectAccessible,
  newProject,
  open,
  type Ready,
  sendTrace,
  test,
} from '../test'

const traceId = 'b7'.repeat(16)
const name = 'support/answers to "who" & why'

/** What applications get. */
async function served(server: Ready): Promise<{ version: number; prompt: unknown }> {
  const answer = await fetch(
    `${server.url}/api/public/v2/prompts/${encodeURIComponent(name)}?label=production`,
    { headers: asProgram(server) },
  )
  expect(answer.status).toBe(200)
  return (await answer.json()) as { version: number; prompt: unknown }
}

async function save(server: Ready, prompt: string, more: object = {}) {
  await ask(server, 'POST', `/api/ui/projects/${server.project}/v2/prompts`, {
    name,
    type: 'text',
    prompt,
    ...more,
  })
}

async function sendFailure(server: Ready) {
  await sendTrace(server, {
    traceId,
    name: 'answer',
    attributes: {
      'langfuse.observation.type': 'generation',
      'langfuse.observation.prompt.name': name,
      'langfuse.observation.prompt.version': 1,
      'langfuse.observation.input': 'Who are you?',
      'langfuse.observation.level': 'ERROR',
      'langfuse.observation.status_message': 'no JSON',
    },
  })
}

const heading = (page: Page, version: number) =>
  page.getByRole('heading', { name: `Version ${version}`, exact: true })

test('from a failed generation to a fixed prompt in production', async ({ page, server: all }) => {
  const server = await newProject(all, 'Prompt versions')
  await save(server, 'Answer {{question}} in JSON.', {
    labels: ['production'],
    commitMessage: 'the first one',
  })
  await sendFailure(server)
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  await open(page, server, `/project/${server.project}/traces/${traceId}`)
  await click(page.getByRole('treeitem').last())
  await click(page.getByRole('link', { name: `${name} v1` }))
  await expect(heading(page, 1)).toBeVisible()
  await expect(page.getByText('the first one').first()).toBeVisible()
  await expect(page.getByText('{{question}}', { exact: true })).toBeVisible()

  await click(page.getByRole('link', { name: 'Open in playground' }))
  const tried = page.getByRole('textbox', { name: 'Message 1' })
  await expect(tried).toContainText('Answer {{question}} in JSON.')
  await page.goBack()
  await click(page.getByRole('link', { name: 'New version' }))
  const text = page.getByRole('textbox', { name: 'Text', exact: true })
  await expect(text).toContainText('Answer {{question}} in JSON.')
  await click(text)
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.press('Backspace')
  await page.keyboard.type(', without a code fence.')
  await page.getByRole('textbox', { name: 'What changed' }).fill('no code fence')
  await click(page.getByRole('button', { name: 'Review and save' }))
  await click(page.getByRole('dialog').getByRole('button', { name: /^Save/ }))
  await expect(heading(page, 2)).toBeVisible()
  await expect(page.getByText('no code fence').first()).toBeVisible()
  expect((await served(server)).version).toBe(1)

  await click(page.getByRole('button', { name: 'Labels', exact: true }))
  const dialog = page.getByRole('dialog', { name: 'Labels of version 2' })
  await click(dialog.getByRole('checkbox', { name: /^production/ }))
  await expect(dialog).toContainText('production moves from version 1 to version 2.')
  await expect(dialog.locator('ins')).toContainText('without a code fence')
  await expectAccessible(page)
  await click(dialog.getByRole('button', { name: 'Move production' }))
  await expect(page.getByText('production is version 2')).toBeVisible()
  expect(clicks).toBeLessThanOrEqual(15)
  test.info().annotations.push({ type: 'took', description: `${clicks} clicks` })
  // The next read of an application gets it.
  expect(await served(server)).toMatchObject({
    version: 2,
    prompt: 'Answer {{question}} in JSON, without a code fence.',
  })

  // The generation that failed is listed with its version, and leads back to the trace.
  await page.keyboard.press('j')
  await expect(heading(page, 1)).toBeVisible()
  await page.getByRole('tab', { name: 'Figures' }).click()
  await expect(page.getByRole('grid', { name: 'Figures by version' })).toContainText('100%')
  await expect(page.getByRole('list', { name: 'Labels that moved' })).toContainText(
    'production moved from v1 to v2',
  )
  await page.getByRole('tab', { name: 'Generations' }).click()
  await page.getByRole('grid', { name: 'Generations' }).getByText('answer').click()
  await page.waitForURL(new RegExp(`/traces/${traceId}`))
  await page.goBack()

  await page.getByRole('tab', { name: 'Comments' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('It must not use a code fence')
  await page.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('tab', { name: 'Comments (1)' })).toBeVisible()

  // The address is the state: two versions compared, opened elsewhere.
  const url = page.url().replace(/\?.*/, '')
  await page.goto(`${url}?version=2&diff=1`)
  await expect(page.getByRole('heading', { name: 'Version 1 → version 2' })).toBeVisible()
  await expect(page.locator('ins')).toContainText('without a code fence')
  await expectAccessible(page)
})

test('what others refer to is not deleted; what is deleted can be restored', async ({
  page,
  server: all,
}) => {
  const server = await newProject(all, 'Deleted prompts')
  const base = `/api/ui/projects/${server.project}`
  await save(server, 'Yours, {{who}}', { labels: ['production'] })
  await save(server, 'Yours truly, {{who}}')
  await ask(server, 'POST', `${base}/v2/prompts`, {
    name: 'letter',
    type: 'text',
    prompt: `Hello.\n@@@langfusePrompt:name=${name}|label=production@@@`,
  })
  await open(page, server, `/project/${server.project}/prompts/letter`)
  await page.getByRole('radio', { name: 'Resolved' }).click()
  await expect(page.getByText('Yours,', { exact: false })).toBeVisible()
  await page.getByRole('link', { name: `${name} v1` }).click()
  await expect(heading(page, 1)).toBeVisible()

  const remove = async (what: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await remove('Delete version 1')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('link', { name: 'letter v1' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete version 1' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Other prompts depend on')
  await page.keyboard.press('Escape')

  await page.keyboard.press('k')
  await expect(heading(page, 2)).toBeVisible()
  await remove('Delete version 2')
  await dialog.getByRole('button', { name: 'Delete version 2' }).click()
  await expect(page.getByText('Version 2 deleted')).toBeVisible()
  await expect(heading(page, 1)).toBeVisible()
  await expect(page.getByText('1 version', { exact: true })).toBeVisible()
  const { deletions } = await ask<{ deletions: { id: string; name: string }[] }>(
    server,
    'GET',
    `${base}/deleted-prompts`,
  )
  expect(deletions.map((each) => each.name)).toEqual([name])
  await ask(server, 'POST', `${base}/deleted-prompts/${deletions[0]?.id}/restore`)
  await page.reload()
  await expect(heading(page, 2)).toBeVisible()
})
