import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newProject, owner, sendTrace } from '../client'
import { pagesOf } from '../examples'
import { expect, signIn, test } from './test'

test('a visitor signs out, signs in and returns to the address', async ({ visitor, server }) => {
  await visitor.open(`/project/${server.project}`)
  await visitor.click('button', new RegExp(owner.name))
  await visitor.click('menuitem', 'Sign out')
  await visitor.isAt(/^\/auth\/sign-in/)
  await visitor.open(`/project/${server.project}?env=production#a-place`)
  await visitor.isAt(/^\/auth\/sign-in/)
  await signIn(visitor)
  await visitor.isAt(`/project/${server.project}?env=production#a-place`)
})

test('the failing run is found, peeked at and opened', async ({ visitor, demo }) => {
  await visitor.open(`/project/${demo.project}/traces?dateRange=7d`)
  await visitor.see('grid', 'Traces')
  await visitor.read('support-chat')
  await visitor.press('/')
  await visitor.type('lev')
  await visitor.see('option', /^level/)
  await visitor.press('Tab')
  await visitor.type('ERROR')
  await visitor.press('Enter')
  await visitor.isAt(/filter=level/)
  await visitor.read(/\d errors?/)
  await visitor.call(() => document.querySelector<HTMLElement>('[role=grid]')?.focus())
  await visitor.press('j')
  await visitor.press('Enter')
  await visitor.isAt(/peek=/)
  await visitor.see('region', 'Selected trace')
  await visitor.click('link', 'Open')
  await visitor.isAt(/\/traces\/[0-9a-f]{32}/)
  await visitor.see('tree', 'Observations')
  await visitor.press('e')
  await visitor.isAt(/observation=/)
  const alert = () => visitor.call(() => document.querySelector('[role=alert]')?.textContent ?? '')
  await expect.poll(alert).toContain('Error')
  for (const view of ['timeline', 'graph']) {
    const { pathname } = await visitor.url()
    await visitor.open(`${pathname}?view=${view}&traceTab=transcript`)
    await visitor.see('list', 'Transcript')
  }
})

test('a list scrolls to its end', async ({ visitor, demo }) => {
  await visitor.open(`/project/${demo.project}/traces?dateRange=7d`)
  await visitor.read('support-chat')
  await visitor.call(() => document.querySelector<HTMLElement>('[role=grid]')?.focus())
  await visitor.press('End')
  const countOfRows = () =>
    visitor.call(() => document.querySelector('[role=grid]')?.getAttribute('aria-rowcount') ?? '')
  await expect.poll(countOfRows).toBe('201')
  await visitor.press('End')
  const isInSight = () =>
    visitor.call(() => {
      const box = document.querySelector('[aria-rowindex="201"]')?.getBoundingClientRect()
      return box !== undefined && box.top >= 0 && box.bottom <= innerHeight
    })
  await expect.poll(isInSight).toBe(true)
})

test('forms save, and say what is wrong', async ({ visitor, server }) => {
  await visitor.open('/account/settings')
  await visitor.fill('textbox', 'Name', 'Ada King')
  await visitor.click('button', 'Save')
  await visitor.see('button', /Ada King/)
  await visitor.open(`/project/${server.project}/settings/api-keys`)
  await visitor.click('button', 'New key')
  await visitor.see('dialog', /./)
  await visitor.click('textbox', /^Note/)
  await visitor.type('Of the nightly run')
  await visitor.click('button', 'Create key')
  await visitor.read('sk-lf-')
})

test('the theme changes and is kept', async ({ visitor, server }) => {
  await visitor.open(`/project/${server.project}`)
  const background = () =>
    visitor.call(() => {
      const context = document.createElement('canvas').getContext('2d')
      if (!context) return []
      context.fillStyle = getComputedStyle(document.body).backgroundColor
      context.fillRect(0, 0, 1, 1)
      return [...context.getImageData(0, 0, 1, 1).data]
    })
  await visitor.see('heading', /./)
  await visitor.click('button', /^Theme/)
  const first = await background()
  await visitor.click('button', /^Theme/)
  await expect.poll(background).not.toEqual(first)
  const second = await background()
  await visitor.open(`/project/${server.project}`)
  await visitor.see('heading', /./)
  expect(await background()).toEqual(second)
})

test('keys lead anywhere', async ({ visitor, server }) => {
  await visitor.open(`/project/${server.project}`)
  await visitor.see('heading', /./)
  await visitor.press('?')
  await visitor.see('dialog', 'Keyboard shortcuts')
  await visitor.press('Escape')
  await visitor.isGone('dialog', 'Keyboard shortcuts')
  await visitor.press('Control+k')
  await visitor.see('dialog', 'Search and go anywhere')
  await visitor.type('api keys')
  await visitor.press('Enter')
  await visitor.isAt(/settings\/api-keys/)
  await visitor.press('g')
  await visitor.press('t')
  await visitor.isAt(/\/traces/)
})

test('an export is downloaded', async ({ visitor, server }) => {
  const own = await newProject(server, 'Exported')
  await sendTrace(own, { traceId: 'e7'.repeat(16), name: 'taken away' })
  await visitor.open(`/project/${own.project}/traces`)
  await visitor.read('taken away')
  await visitor.click('button', 'Export')
  await visitor.click('menuitem', 'CSV')
  await visitor.read('The export is ready')
  await visitor.open(`/project/${own.project}/settings/exports`)
  await visitor.click('link', 'Download')
  const saved = () =>
    readdirSync(visitor.engine.downloads)
      .filter((name) => /^almanac-traces-.*\.csv$/.test(name))
      .map((name) => readFileSync(join(visitor.engine.downloads, name), 'utf8'))
  await expect.poll(saved).toEqual([expect.stringContaining('"taken away"')])
})

test('every page opens', async ({ visitor, examples }) => {
  await visitor.open('/account/settings')
  for (const path of Object.values(pagesOf(examples))) {
    await visitor.go(path)
    await visitor.see('heading', /./)
  }
})
