import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, newProject, open, sendTrace, takePicture, test } from '../test'

test('what a table selects is exported, downloaded and deleted', async ({ page, server }) => {
  const own = await newProject(server, 'Exported')
  await sendTrace(own, { traceId: 'e7'.repeat(16), name: 'taken away' })
  await open(page, server, `/project/${own.project}/traces`)
  await expect(page.getByText('taken away').first()).toBeVisible()
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'CSV', exact: true }).click()
  await expect(page.getByText('Exporting traces')).toBeVisible()
  await expect(page.getByText('The export is ready')).toBeVisible({ timeout: 20_000 })

  await open(page, server, `/project/${own.project}/settings/exports`)
  const link = page.getByRole('link', { name: 'Download' })
  await expect(link).toBeVisible()
  await takePicture(page, 'exports')
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/^almanac-traces-.*\.csv$/)
  expect(readFileSync(await download.path(), 'utf8')).toContain('"taken away"')

  await open(page, server, `/project/${own.project}/settings/jobs`)
  const job = page.getByRole('row', { name: /Export of traces/ })
  await expect(job.getByText('Done')).toBeVisible()
  await takePicture(page, 'jobs')

  await open(page, server, `/project/${own.project}/settings/exports`)
  await page.getByRole('button', { name: /^Delete almanac-traces/ }).click()
  await page.getByRole('button', { name: 'Delete export' }).click()
  await expect(page.getByText('No exports yet')).toBeVisible()
})

test('rows that are picked are exported, and no others', async ({ page, server }) => {
  const own = await newProject(server, 'Picked')
  await sendTrace(own, { traceId: 'e8'.repeat(16), name: 'left behind' })
  await sendTrace(own, { traceId: 'e9'.repeat(16), name: 'picked by hand' })
  await open(page, server, `/project/${own.project}/traces`)
  await expect(page.getByText('left behind').first()).toBeVisible()
  await page.getByRole('grid', { name: 'Traces' }).focus()
  await page.keyboard.press('j') // the newest
  await page.keyboard.press('x')
  await expect(page.getByText('1 selected')).toBeVisible()
  await takePicture(page, 'bulk-bar')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await page.getByRole('menuitem', { name: 'JSONL, compressed' }).click()
  await expect(page.getByText('The export is ready')).toBeVisible({ timeout: 20_000 })

  await open(page, server, `/project/${own.project}/settings/exports`)
  const link = page.getByRole('link', { name: 'Download' })
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(download.suggestedFilename()).toMatch(/\.jsonl\.gz$/)
  const lines = gunzipSync(readFileSync(await download.path()))
    .toString()
    .trim()
    .split('\n')
  expect(lines).toEqual([expect.stringContaining('"picked by hand"')])
})
