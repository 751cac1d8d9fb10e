import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { createScale, wholeWindow } from '../model/scale'
import { largeWireTree } from '../model/testing'
import { buildTree } from '../model/tree'
import { visibleRows } from '../model/visible'
import { TreePane } from './TreePane'

const tree = buildTree(largeWireTree(500))
const scrolledTo = vi.fn<(top: number) => void>()

beforeEach(() => {
  scrolledTo.mockReset()
  // There is no layout in tests.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(640)
  vi.spyOn(HTMLElement.prototype, 'scrollHeight', 'get').mockReturnValue(100_000)
  vi.spyOn(HTMLElement.prototype, 'scrollTo').mockImplementation(function (
    this: HTMLElement,
    ...[options]: unknown[]
  ) {
    const { top = 0 } = options as ScrollToOptions
    scrolledTo(top)
    scroll(this, top)
  })
})

function scroll(element: HTMLElement, top: number) {
  element.scrollTop = top
  fireEvent.scroll(element)
}

function pane(selected: number, folded: ReadonlySet<string>) {
  return (
    <TreePane
      tree={tree}
      traceName="trace"
      view="tree"
      visible={visibleRows(tree, folded)}
      folded={folded}
      selected={selected}
      path={undefined}
      hits={new Map()}
      scale={createScale(tree.from, tree.to, [])}
      window={wholeWindow}
      onWindow={() => {}}
      onSelect={() => {}}
      onFold={() => {}}
    />
  )
}

const none = new Set<string>()
const second = new Set([tree.ids[1] ?? ''])

test('what is selected comes into sight and stays there when rows above it are folded', () => {
  const { rerender } = render(pane(-1, none))
  scrolledTo.mockClear()
  rerender(pane(300, none))
  expect(scrolledTo).toHaveBeenCalled()
  scrolledTo.mockClear()
  rerender(pane(300, second))
  expect(scrolledTo).toHaveBeenCalled()
})

test('whoever looks elsewhere and folds a row is left where they are', () => {
  const { rerender } = render(pane(300, none))
  scroll(screen.getByRole('tree'), 0)
  scrolledTo.mockClear()
  rerender(pane(300, second))
  expect(scrolledTo).not.toHaveBeenCalled()
})
