import type { KeyboardEvent, PointerEvent } from 'react'

type PeekSplitterProps = {
  percent: number
  least: number
  most: number
  onChange: (percent: number) => void
}

const step = 2

/** The left edge of the panel, which can be moved by mouse and by arrow keys. */
export function PeekSplitter({ percent, least, most, onChange }: PeekSplitterProps) {
  const move = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const box = event.currentTarget.parentElement?.parentElement?.getBoundingClientRect()
    if (box && box.width > 0) onChange(((box.right - event.clientX) / box.width) * 100)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? step : event.key === 'ArrowRight' ? -step : 0
    if (by === 0) return
    event.preventDefault()
    onChange(percent + by)
  }
  return (
    // A separator that can be moved is a control, and takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuenow={percent}
      aria-valuemin={least}
      aria-valuemax={most}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={move}
      onKeyDown={onKeyDown}
      className="hidden w-1 shrink-0 cursor-col-resize touch-none bg-border hover:bg-accent md:block"
    />
  )
}
