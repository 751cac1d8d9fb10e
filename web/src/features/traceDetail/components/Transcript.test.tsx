import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderAlone } from '@/test/renderAlone'
import { refusal } from '@/test/renderApp'
import { wireTree } from '../model/testing'
import { buildTree } from '../model/tree'
import { Transcript } from './Transcript'

test('what was read stays when the rest cannot be loaded', async () => {
  const tree = buildTree(
    wireTree(
      Array.from({ length: 21 }, (_, at) => ({ id: `g${at}`, start: at, type: 'GENERATION' })),
    ),
  )
  let isBroken = true
  const user = renderAlone(
    <Transcript projectId="p" traceId="t1" tree={tree} onSelect={() => {}} />,
    async ({ url }) => {
      const id = /observations\/(g\d+)\//.exec(url)?.[1] ?? ''
      if (id === 'g20' && isBroken) return refusal(400, 'out of luck')
      return Response.json({
        id,
        traceId: 't1',
        texts: { input: `question ${id}`, output: `answer ${id}`, statusMessage: null },
        cut: {},
      })
    },
  )
  await user.click(await screen.findByRole('button', { name: /^Show more: 1 of 21/ }))
  await screen.findByText('Couldn’t load more: out of luck')
  screen.getByText('answer g19')
  isBroken = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByText('answer g20')
  expect(screen.queryByRole('alert')).toBeNull()
})
