import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import {
  ask,
  asProgram,
  expect,
  expectAccessible,
  newProject,
  open,
  type Ready,
  settled,
  signIn,
  test,
} from '../test'

const hostile = '<img src=x onerror=alert(1)> {{name}} </script><script>alert(2)</script>'

async function write(page: Page, field: Locator, text: string) {
  await field.click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.insertText(text)
}

/** What an application gets. */
async function served(project: Ready, name: string): Promise<{ version: number; prompt: unknown }> {
  const answer = await fetch(`${project.url}/api/public/v2/prompts/${encodeURIComponent(name)}`, {
    headers: asProgram(project),
  })
  return (await answer.json()) as { version: number; prompt: unknown }
}

/** Adds a member with this role, who has no session yet. */
async function invite(project: Ready, role: string) {
  const email = `${role.toLowerCase()}.of.prompts@example.com`
  const password = 'nanoseconds matter'
  const { link } = await ask<{ link: string }>(
    project,
    'POST',
    `/api/ui/organizations/${project.organization}/invitations`,
    { email, role },
  )
  const token = new URL(link).pathname.split('/').at(-1)
  await ask({ url: project.url, cookies: [] }, 'POST', `/api/ui/invitations/${token}/accept`, {
    name: `The ${role}`,
    password,
  })
  return { email, password }
}

test('a prompt from its first words to production, with two people at once', async ({
  page,
  browser,
  server,
}) => {
  test.setTimeout(180_000)
  const project = await newProject(server, 'Prompts')
  const pages = `/project/${project.project}/prompts`
  await ask(project, 'POST', `/api/ui/projects/${project.project}/v2/prompts`, {
    name: 'shared/tone',
    prompt: 'Be brief.',
    labels: ['production'],
  })

  // A chat prompt with a variable, a placeholder and a reference that is completed.
  await open(page, project, pages)
  await page.getByRole('link', { name: 'New prompt' }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('support/answer')
  await page.getByRole('radio', { name: 'Chat' }).click()
  const first = page.getByRole('textbox', { name: 'Message 1', exact: true })
  await write(page, first, 'Answer {{name}}. ')
  await page.keyboard.type('@@ton')
  await page.getByRole('option', { name: 'shared/tone' }).click()
  await page.getByRole('option', { name: /label=production/ }).click()
  await expect(first).toContainText('@@@langfusePrompt:name=shared/tone|label=production@@@')
  await write(page, page.getByRole('textbox', { name: 'Message 2', exact: true }), hostile)
  await page.getByRole('button', { name: 'Placeholder' }).click()
  await expect(page.getByText('now version 1')).toBeVisible()
  await page.getByRole('radio', { name: 'Preview' }).click()
  await expect(page.getByText('Be brief.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create prompt' }).click()
  await page.waitForURL(/prompts\/support%2Fanswer\?version=1/)
  expect((await served(project, 'support/answer')).version).toBe(1)

  // Two people write version 2. Leaving asks first, and what was written is there again.
  const edit = `${pages}/new?name=support%2Fanswer`
  await page.getByRole('link', { name: 'New version' }).click()
  await write(page, page.getByRole('textbox', { name: 'Message 1', exact: true }), ' MINE')
  await page.getByRole('link', { name: 'Home', exact: true }).click()
  await expect(page.getByText('Leave without saving?')).toBeVisible()
  await page.getByRole('button', { name: 'Leave' }).click()
  await page.goBack()
  await expect(page.getByText('Your draft is here again')).toBeVisible()
  await expect(first).toContainText('MINE')
  await page.getByRole('button', { name: 'Review and save' }).click()
  const review = page.getByRole('dialog', { name: 'Save a version of support/answer' })
  await expect(review.getByText('MINE').first()).toBeVisible()
  await ask(project, 'POST', `/api/ui/projects/${project.project}/v2/prompts`, {
    name: 'support/answer',
    type: 'chat',
    prompt: [{ role: 'user', content: 'THEIRS' }],
    commitMessage: 'while you wrote',
  })
  await review.getByRole('button', { name: 'Save version' }).click()
  const conflict = page.getByRole('alertdialog', { name: /Somebody else has saved/ })
  await expect(conflict.getByText('while you wrote')).toBeVisible()
  await expect(conflict.getByText('THEIRS').first()).toBeVisible()
  await expectAccessible(page)
  await conflict.getByRole('button', { name: 'Save mine as the next version' }).click()
  await page.waitForURL(/version=3/)
  const kept = await Promise.all(
    [2, 3].map((version) =>
      ask<{ prompt: unknown }>(
        project,
        'GET',
        `/api/ui/projects/${project.project}/prompts/support%2Fanswer/versions/${version}`,
      ),
    ),
  )
  expect(JSON.stringify(kept[0]?.prompt)).toContain('THEIRS')
  expect(JSON.stringify(kept[1]?.prompt)).toContain('MINE')
  expect((await served(project, 'support/answer')).version).toBe(1)

  // The next version goes into production.
  await page.goto(server.url + edit)
  await write(page, page.getByRole('textbox', { name: 'Message 1', exact: true }), ' FINAL')
  await page.getByRole('checkbox', { name: /^production/ }).check()
  await page.getByRole('button', { name: 'Review and save' }).click()
  await page.getByRole('button', { name: 'Save and put into production' }).click()
  await page.waitForURL(/version=4/)
  expect((await served(project, 'support/answer')).version).toBe(4)
  // The same once more is not saved.
  await page.goto(server.url + edit)
  await page.getByRole('button', { name: 'Review and save' }).click()
  await expect(page.getByText('Nothing was saved')).toBeVisible()

  // The list, a copy, and a deletion that is taken back.
  await page.goto(server.url + pages)
  await page.getByRole('link', { name: 'support', exact: true }).click()
  const grid = page.getByRole('grid', { name: 'Prompts' })
  await expect(grid.getByText('v4').first()).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Actions for support/answer' }).click()
  await page.getByRole('menuitem', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(grid.getByRole('link', { name: 'answer-copy' })).toBeVisible()
  await page.goto(`${server.url}${pages}?folder=shared`)
  await page.getByRole('button', { name: 'Actions for shared/tone' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete prompt' }).click()
  await expect(
    page.getByRole('alertdialog').getByRole('link', { name: 'support/answer', exact: true }),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Close' }).last().click()
  await page.goto(`${server.url}${pages}?folder=support`)
  await page.getByRole('button', { name: 'Actions for support/answer-copy' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete prompt' }).click()
  await expect(grid.getByRole('link', { name: 'answer-copy' })).toBeHidden()
  await page.goto(`${server.url}${pages}?folder=support&dialog=deleted`)
  await page.getByRole('button', { name: /Restore support\/answer-copy/ }).click()
  await expect(page.getByText('Nothing was deleted in the last 30 days.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(grid.getByRole('link', { name: 'answer-copy' })).toBeVisible()

  // An export is imported again.
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Import, export and more' }).click()
  await page.getByRole('menuitem', { name: /all versions/ }).click()
  const exported = await (await file).path()
  await page.goto(`${server.url}${pages}?dialog=import`)
  await page.locator('input[type=file]').setInputFiles({
    name: 'prompts.json',
    mimeType: 'application/json',
    buffer: readFileSync(exported),
  })
  await expect(page.getByRole('list', { name: 'What would be imported' })).toContainText('answer')

  // A viewer sees it and cannot change it.
  const viewer = await invite(project, 'VIEWER')
  const context = await browser.newContext()
  const other = await context.newPage()
  await other.goto(`${server.url}${pages}?folder=support`)
  await signIn(other, viewer)
  await expect(other.getByRole('link', { name: 'answer', exact: true })).toBeVisible()
  await expect(other.getByText('To create prompts you need the role Member.')).toBeVisible()
  await expect(other.getByRole('link', { name: 'New prompt' })).toHaveCount(0)
  await other.goto(server.url + edit)
  await expect(other.getByText(/you need the role Member/)).toBeVisible()
  await context.close()
})

test('a prompt of a megabyte and 5,000 prompts stay usable', async ({ page, server }) => {
  test.setTimeout(180_000)
  const project = await newProject(server, 'Many prompts')
  const base = `/api/ui/projects/${project.project}`
  for (let batch = 0; batch < 10; batch += 1)
    await ask(project, 'POST', `${base}/prompts/import`, {
      entries: Array.from({ length: 500 }, (_, n) => ({
        name: `prompt ${String(batch * 500 + n).padStart(4, '0')}`,
        prompt: 'x',
      })),
    })
  const line = 'Words of {{name}} that fill a line of a long prompt, one after the other.\n'
  await ask(project, 'POST', `${base}/prompts`, {
    name: 'huge',
    type: 'text',
    prompt: line.repeat(Math.ceil(1_000_000 / line.length)),
    baseVersion: null,
  })
  await open(page, project, `/project/${project.project}/prompts`)
  await expect(page.getByText('5001 prompts')).toBeVisible()
  expect(await page.getByRole('row').count()).toBeLessThan(100)
  const began = Date.now()
  await page.getByRole('searchbox', { name: 'Search prompts' }).fill('prompt 4999')
  await expect(page.getByText('1 prompt', { exact: true })).toBeVisible()
  const searched = Date.now() - began

  await page.goto(`${server.url}/project/${project.project}/prompts/new?name=huge`)
  const field = page.getByRole('textbox', { name: 'Text' })
  await expect(field.locator('.cm-variable').first()).toBeVisible()
  await field.click()
  await settled(page)
  const typing = Date.now()
  await page.keyboard.type('typed')
  await expect(field).toContainText('typed')
  const typed = Date.now() - typing
  test.info().annotations.push({
    type: 'took',
    description: `search in 5,000: ${searched} ms; five keys in 1 MB: ${typed} ms`,
  })
})
