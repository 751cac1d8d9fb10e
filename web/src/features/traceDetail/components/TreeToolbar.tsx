import {
  ChartGantt,
  ChevronsDownUp,
  ChevronsUpDown,
  CircleAlert,
  FoldHorizontal,
  ListTree,
  Maximize2,
  Route,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { countOf } from '@/shared/lib/format'
import { Button, IconButton, SegmentedControl, type Option } from '@/shared/ui'
import { wholeWindow } from '../model/scale'
import type { TreeMode } from '../state'
import type { TreeControls } from './useTreeControls'

const views: Option<TreeMode>[] = [
  { id: 'tree', label: 'Tree', icon: <ListTree aria-hidden /> },
  { id: 'timeline', label: 'Timeline', icon: <ChartGantt aria-hidden /> },
]

type TreeToolbarProps = {
  count: number
  errors: number
  view: TreeMode
  onView: (view: TreeMode) => void
  controls: TreeControls
}

/** The view of the tree and ways to navigate it. Every button has a key. */
export function TreeToolbar({ count, errors, view, onView, controls }: TreeToolbarProps) {
  const { window } = controls
  const isWhole = window.from <= wholeWindow.from && window.to >= wholeWindow.to
  return (
    <div
      role="toolbar"
      aria-label="Tree"
      className="flex shrink-0 flex-wrap items-center gap-1 border-b border-border px-2 py-1"
    >
      <SegmentedControl label="View" options={views} value={view} onChange={onView} />
      <span className="tabular px-1 text-sm text-text-3" aria-live="polite">
        {countOf(count, 'observation')}
      </span>
      <span className="ml-auto flex flex-wrap items-center">
        {errors > 0 && (
          <Button
            size="sm"
            variant="ghost"
            icon={<CircleAlert aria-hidden className="text-danger" />}
            onPress={() => controls.act({ do: 'error', step: 1 })}
          >
            <span className="text-danger">{countOf(errors, 'error')}</span>
            <span className="sr-only">, go to the next (E)</span>
          </Button>
        )}
        <IconButton
          size="sm"
          label="Critical path (L)"
          aria-pressed={controls.showsPath}
          icon={<Route aria-hidden className={controls.showsPath ? 'text-warning' : undefined} />}
          onPress={controls.togglePath}
        />
        {view === 'timeline' && (
          <>
            {controls.hasGaps && (
              <IconButton
                size="sm"
                label={controls.foldsGaps ? 'Show idle time' : 'Collapse idle time'}
                aria-pressed={controls.foldsGaps}
                icon={
                  <FoldHorizontal
                    aria-hidden
                    className={controls.foldsGaps ? 'text-accent' : undefined}
                  />
                }
                onPress={() => {
                  controls.setFoldsGaps(!controls.foldsGaps)
                  controls.setWindow(wholeWindow)
                }}
              />
            )}
            <IconButton
              size="sm"
              label="Zoom in (+)"
              icon={<ZoomIn aria-hidden />}
              onPress={() => controls.zoom(0.5)}
            />
            <IconButton
              size="sm"
              label="Zoom out (-)"
              isDisabled={isWhole}
              icon={<ZoomOut aria-hidden />}
              onPress={() => controls.zoom(2)}
            />
            <IconButton
              size="sm"
              label="Reset zoom (\)"
              isDisabled={isWhole}
              icon={<Maximize2 aria-hidden />}
              onPress={() => controls.setWindow(wholeWindow)}
            />
          </>
        )}
        <IconButton
          size="sm"
          label="Collapse to two levels (2)"
          icon={<ChevronsDownUp aria-hidden />}
          onPress={() => controls.toLevel(2)}
        />
        <IconButton
          size="sm"
          label="Expand all (0)"
          icon={<ChevronsUpDown aria-hidden />}
          onPress={() => controls.toLevel(Infinity)}
        />
      </span>
    </div>
  )
}
