import { useState, type KeyboardEvent, type PointerEvent } from 'react'
import { readStored, writeStored } from '@/shared/lib/preference'

const step = 2

type Bounds = { min: number; max: number; initial: number }
type Split = Bounds & { percent: number; change: (percent: number) => void }

/** The width of a pane in percent, remembered in this browser. */
export function useSplit(key: string, bounds: Bounds): Split {
  const { min, max, initial } = bounds
  const [percent, setPercent] = useState(() => {
    const stored = Number(readStored(key) ?? Number.NaN)
    return stored >= min && stored <= max ? stored : initial
  })
  const change = (next: number) => {
    const bounded = Math.round(Math.min(max, Math.max(min, next)) * 10) / 10
    setPercent(bounded)
    writeStored(key, String(bounded))
  }
  return { ...bounds, percent, change }
}

type SplitterProps = {
  label: string
  split: Split
  /** The pane that is resized: to the left of the line, or around the line, which is then its left edge. */
  pane: 'left' | 'around'
  className?: string
}

/** The line between two panes, which can be moved with the mouse or the arrow keys. */
export function Splitter({ label, split, pane, className = '' }: SplitterProps) {
  const direction = pane === 'left' ? 1 : -1
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const parent = event.currentTarget.parentElement
    const box = (pane === 'left' ? parent : parent?.parentElement)?.getBoundingClientRect()
    if (!box || box.width === 0) return
    const edge = pane === 'left' ? box.left : box.right
    split.change(((direction * (event.clientX - edge)) / box.width) * 100)
  }
  const onKey = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? -step : event.key === 'ArrowRight' ? step : 0
    if (by === 0) return
    event.preventDefault()
    split.change(split.percent + direction * by)
  }
  return (
    // A movable separator is a control and takes focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuenow={Math.round(split.percent)}
      aria-valuemin={split.min}
      aria-valuemax={split.max}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onDoubleClick={() => split.change(split.initial)}
      onKeyDown={onKey}
      className={`w-1 shrink-0 cursor-col-resize touch-none bg-border transition-colors duration-100 hover:bg-accent ${className}`}
    />
  )
}
