import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Layout, LayoutQuestion } from '../model/layout'
import { wireTree } from '../model/testing'
import { buildTree } from '../model/tree'
import { AgentGraph } from './AgentGraph'

const started: FakeWorker[] = []

class FakeWorker extends EventTarget {
  asked: LayoutQuestion[] = []
  isStopped = false
  constructor() {
    super()
    started.push(this)
  }
  postMessage(question: LayoutQuestion) {
    this.asked.push(question)
  }
  terminate() {
    this.isStopped = true
  }
  answer(data: Layout) {
    this.dispatchEvent(new MessageEvent('message', { data }))
  }
}

afterEach(() => {
  started.length = 0
  vi.unstubAllGlobals()
})

function show() {
  vi.stubGlobal('Worker', FakeWorker)
  const tree = buildTree(wireTree([{ id: 'search', start: 0, end: 1, type: 'TOOL' }]))
  render(<AgentGraph tree={tree} selected={-1} onSelect={() => {}} />)
}

const layout: Layout = { nodes: [{ x: 100, y: 40 }], edges: [], width: 200, height: 80 }

test('arranging a graph can be cancelled and started again', async () => {
  const user = userEvent.setup()
  show()
  await user.click(await screen.findByRole('button', { name: 'Cancel' }))
  expect(started.map(({ isStopped }) => isStopped)).toEqual([true])
  await user.click(screen.getByRole('button', { name: 'Draw the graph' }))
  expect(started[1]?.asked).toEqual([{ count: 1, edges: [] }])
  act(() => started[1]?.answer(layout))
  await screen.findByRole('button', { name: /search/ })
})

test('a worker that fails, or whose file is gone, leads to a page that can be loaded again', async () => {
  show()
  expect(started).toHaveLength(1)
  act(() => void started[0]?.dispatchEvent(new Event('error')))
  await screen.findByRole('button', { name: 'Reload' })
})

test('so does a worker that cannot be started', async () => {
  vi.stubGlobal('Worker', function Refused() {
    throw new Error('no workers here')
  })
  const tree = buildTree(wireTree([{ id: 'search', start: 0, end: 1, type: 'TOOL' }]))
  render(<AgentGraph tree={tree} selected={-1} onSelect={() => {}} />)
  await screen.findByRole('button', { name: 'Reload' })
})
