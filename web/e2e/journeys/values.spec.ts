import { expect, open, sendFile, sendTrace, test } from '../test'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('values are read: a conversation with a picture, and JSON that a worker reads', async ({
  page,
  server,
}) => {
  const traceId = 'f7'.repeat(16)
  const image = await sendFile(server, { traceId, type: 'image/png', content: pixel })
  await sendTrace(server, {
    traceId,
    name: 'look',
    attributes: {
      'langfuse.observation.input': JSON.stringify([
        { role: 'user', content: `What is this? ${image} <img src=x onerror=alert(1)>` },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{"at":"\\u5f53"}' } }],
        },
        {
          role: 'tool',
          tool_call_id: 'c',
          content: 'a **pixel** ![p](https://evil.example/p.png)',
        },
      ]),
      'langfuse.observation.output': JSON.stringify({
        id: '#',
        steps: Array.from({ length: 4000 }, (_, step) => ({
          step,
          note: 'what was found there, and what to do about it',
        })),
        end: 'the needle is here',
      }).replace('"#"', '12345678901234567890'),
    },
  })
  await open(page, server, `/project/${server.project}/traces/${traceId}`)
  await page.getByRole('treeitem', { name: /look/ }).last().click()
  const input = page.getByRole('region', { name: 'Input', exact: true })
  const picture = input.getByRole('img', { name: 'image/png' })
  await expect(picture).toBeVisible()
  // It is visible before its bytes have arrived.
  await expect.poll(() => picture.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(1)
  await expect(input.getByText('<img src=x onerror=alert(1)>')).toBeVisible()
  await expect(input.getByText('"at": "当"')).toBeVisible()
  await expect(input.getByRole('link', { name: 'Open at evil.example' })).toBeVisible()

  const output = page.getByRole('region', { name: 'Output', exact: true })
  await output.getByRole('button', { name: 'Load the rest' }).click()
  const tree = output.getByRole('tree', { name: 'Output' })
  await expect(tree.getByText('12345678901234567890')).toBeVisible()
  const search = output.getByRole('searchbox')
  await search.fill('NEEDLE')
  await expect(output.getByText('1 of 1')).toBeVisible()
  await expect(output.getByText('$.end')).toBeVisible()
  await search.fill('found there')
  await expect(output.getByText('1 of 4,000')).toBeVisible()
  await search.press('Enter')
  await expect(output.getByText('$.steps[1].note')).toBeVisible()
  // Of 8,000 rows only the visible ones are in the DOM.
  await output.getByRole('button', { name: 'Expand all' }).click()
  await expect(tree.getByRole('treeitem').first()).toBeVisible()
  expect(await tree.getByRole('treeitem').count()).toBeLessThan(80)
})
