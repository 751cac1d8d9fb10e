import { useEffect, useMemo, useRef, useState } from 'react'
import { criticalPath, slowestRow } from '../model/criticalPath'
import type { KeyAction } from '../model/keys'
import { createScale, idleGaps, moved, wholeWindow, zoomed, type Window } from '../model/scale'
import type { Tree } from '../model/tree'
import {
  foldedFrom,
  hasChildren,
  nextError,
  placeOf,
  traceRow,
  unfoldedTo,
  visibleRows,
} from '../model/visible'

type Options = {
  tree: Tree
  selected: number
  onSelect: (row: number, isStep: boolean) => void
  onFind: () => void
  /** Opens or closes the panel in which scores are given; undefined for those who may not. */
  onScore: (() => void) | undefined
  /** Zooming makes sense only if the timeline is visible. */
  hasTimeline: boolean
}

const none: ReadonlySet<string> = new Set()

/** The state of the tree: folded rows, zoom, navigation. The selection belongs to the caller. */
export function useTreeControls({
  tree,
  selected,
  onSelect,
  onFind,
  onScore,
  hasTimeline,
}: Options) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(none)
  const [showsPath, setShowsPath] = useState(false)
  const [foldsGaps, setFoldsGaps] = useState(false)
  const [window, setWindow] = useState<Window>(wholeWindow)
  const visible = useMemo(() => visibleRows(tree, folded), [tree, folded])
  const path = useMemo(() => (showsPath ? criticalPath(tree) : undefined), [tree, showsPath])
  const gaps = useMemo(() => (hasTimeline ? idleGaps(tree) : []), [tree, hasTimeline])
  const scale = useMemo(
    () => createScale(tree.from, tree.to, foldsGaps ? gaps : []),
    [tree, gaps, foldsGaps],
  )
  // Keys may arrive faster than the URL is updated: the next step starts where the last one led.
  const last = useRef(selected)
  useEffect(() => {
    last.current = selected
  }, [selected])

  const select = (row: number, isStep = true) => {
    last.current = row
    if (row >= 0 && folded.size > 0) setFolded((before) => unfoldedTo(tree, before, row))
    onSelect(row, isStep)
  }
  const fold = (row: number) => {
    const id = tree.ids[row]
    if (id === undefined) return
    setFolded((before) => {
      const next = new Set(before)
      if (!next.delete(id)) next.add(id)
      return next
    })
  }
  const isFolded = (row: number) => folded.has(tree.ids[row] ?? '')
  const togglePath = () => {
    setShowsPath(!showsPath)
    if (showsPath) return
    const slowest = slowestRow(tree, criticalPath(tree))
    if (slowest !== undefined) select(slowest)
  }
  const toLevel = (level: number) =>
    setFolded(Number.isFinite(level) ? foldedFrom(tree, level) : none)
  const zoom = (factor: number) => {
    const row = last.current
    const middle = (window.from + window.to) / 2
    const start = row >= 0 ? scale.toPosition(tree.start[row] ?? 0) : middle
    const isIn = start >= window.from && start <= window.to
    setWindow(zoomed(window, isIn ? start : middle, factor))
  }

  /** Performs the action of a key; reports whether there was anything to do. */
  const act = (action: KeyAction): boolean => {
    const row = last.current
    const at = placeOf(visible, row)
    const go = (place: number) =>
      select(visible[Math.min(visible.length - 1, Math.max(0, place))] ?? traceRow)
    switch (action.do) {
      case 'move':
        go(at + action.by)
        return true
      case 'first':
        go(0)
        return true
      case 'last':
        go(visible.length - 1)
        return true
      case 'fold':
        if (row >= 0 && hasChildren(tree, row) && !isFolded(row)) fold(row)
        else if (row >= 0) select(tree.parent[row] ?? traceRow)
        return true
      case 'unfold':
        if (row >= 0 && isFolded(row)) fold(row)
        else if (row < 0 || hasChildren(tree, row)) go(at + 1)
        return true
      case 'level':
        toLevel(action.level)
        return true
      case 'error': {
        const error = nextError(tree, row, action.step)
        if (error !== undefined) select(error)
        return true
      }
      case 'path':
        togglePath()
        return true
      case 'zoom':
        if (hasTimeline) zoom(action.factor)
        return hasTimeline
      case 'pan':
        if (hasTimeline) setWindow(moved(window, action.by))
        return hasTimeline
      case 'whole':
        setWindow(wholeWindow)
        return true
      case 'find':
        onFind()
        return true
      case 'score':
        onScore?.()
        return onScore !== undefined
    }
  }
  return {
    visible,
    folded,
    path,
    scale,
    window,
    setWindow,
    hasGaps: gaps.length > 0,
    foldsGaps,
    setFoldsGaps,
    showsPath,
    togglePath,
    toLevel,
    select,
    fold,
    zoom,
    act,
  }
}

export type TreeControls = ReturnType<typeof useTreeControls>
