import { useMemo, useRef, useState, type PointerEvent } from 'react'
import { cx } from '@/shared/lib/cx'
import { density } from '../model/density'
import { wholeWindow, windowBetween, type Scale, type Window } from '../model/scale'
import type { Tree } from '../model/tree'
import { typeColor } from './typeColor'

const slices = 240
const height = 24

type MinimapProps = {
  tree: Tree
  scale: Scale
  window: Window
  onWindow: (window: Window) => void
}

/**
 * The whole trace at a glance, with the visible part marked; dragging selects another part, a click shows everything.
 */
export function Minimap({ tree, scale, window, onWindow }: MinimapProps) {
  const parts = useMemo(() => density(tree, scale, slices), [tree, scale])
  const most = parts.reduce((found, { count }) => Math.max(found, count), 1)
  const [drag, setDrag] = useState<{ from: number; to: number } | undefined>(undefined)
  const box = useRef<HTMLDivElement>(null)
  const placeOf = (event: PointerEvent) => {
    const area = box.current?.getBoundingClientRect()
    return area && area.width > 0 ? (event.clientX - area.left) / area.width : 0
  }
  const shown = drag ? windowBetween(drag.from, drag.to) : window
  const isWhole = shown.from <= wholeWindow.from && shown.to >= wholeWindow.to
  return (
    <div
      ref={box}
      aria-hidden
      className="relative h-6 cursor-col-resize touch-none border-b border-border bg-surface-1 select-none"
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        const at = placeOf(event)
        setDrag({ from: at, to: at })
      }}
      onPointerMove={(event) => drag && setDrag({ from: drag.from, to: placeOf(event) })}
      onPointerUp={() => {
        if (drag)
          onWindow(
            Math.abs(drag.to - drag.from) < 0.01 ? wholeWindow : windowBetween(drag.from, drag.to),
          )
        setDrag(undefined)
      }}
      onPointerCancel={() => setDrag(undefined)}
    >
      <svg
        viewBox={`0 0 ${slices} ${height}`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        className="absolute inset-0 size-full"
      >
        {parts.map(({ count, type, hasError }, at) => {
          if (count === 0 && !hasError) return null
          const tall = Math.max(3, (count / most) * (height - 6))
          return (
            // Slices have no identity other than their index.
            // oxlint-disable-next-line react/no-array-index-key
            <g key={at}>
              <rect
                x={at}
                y={height - tall}
                width={1}
                height={tall}
                className={cx('opacity-80', typeColor(type).fill)}
              />
              {hasError && <rect x={at} y={0} width={1.5} height={4} className="fill-danger" />}
            </g>
          )
        })}
      </svg>
      {!isWhole && (
        <>
          <span
            className="absolute inset-y-0 left-0 bg-surface-0/70"
            style={{ width: `${shown.from * 100}%` }}
          />
          <span
            className="absolute inset-y-0 right-0 bg-surface-0/70"
            style={{ width: `${(1 - shown.to) * 100}%` }}
          />
          <span
            className="absolute inset-y-0 border-x-2 border-accent"
            style={{ left: `${shown.from * 100}%`, right: `${(1 - shown.to) * 100}%` }}
          />
        </>
      )}
    </div>
  )
}
