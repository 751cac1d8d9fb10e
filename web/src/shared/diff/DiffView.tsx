import { ArrowDown, ArrowUp } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { cx } from '@/shared/lib/cx'
import { countOf, formatExact } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { Button, IconButton, SegmentedControl, Skeleton, type Option } from '@/shared/ui'
import type { DiffProps } from './Diff'
import { InlineRow, SideRow } from './DiffRows'
import { diffLayoutPreference, type DiffLayout } from './layout'
import { folded } from './model/folded'
import { longestDiff } from './model/lineDiff'
import { readable } from './model/readable'
import { useLineDiff } from './useLineDiff'

const layouts: Option<DiffLayout>[] = [
  { id: 'inline', label: 'Inline' },
  { id: 'sides', label: 'Side by side' },
]

/** So many lines are in the document at first. */
const firstRows = 1_000

export function DiffView(props: DiffProps) {
  const { label, before, after, names = ['Before', 'After'], maxHeight = 480 } = props
  const preferred = usePreference(diffLayoutPreference)
  const layout = props.layout ?? preferred
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const [limit, setLimit] = useState(firstRows)
  const scroller = useRef<HTMLDivElement>(null)
  const texts = useMemo(
    () => (props.isVerbatim ? { before, after, isReordered: false } : readable(before, after)),
    [before, after, props.isVerbatim],
  )
  const { diff, isPending } = useLineDiff(texts)
  const shown = useMemo(() => (diff ? folded(diff.rows, opened) : []), [diff, opened])
  if (!diff && isPending) return <Skeleton className="h-24" />
  if (!diff)
    return (
      <p className="text-text-3">
        These texts are too long to be compared: what differs may have {formatExact(longestDiff)}{' '}
        characters.
      </p>
    )
  const isSame = diff.added + diff.removed === 0
  const go = (by: 1 | -1) => {
    const marks = [...(scroller.current?.querySelectorAll<HTMLElement>('[data-change]') ?? [])]
    const top = scroller.current?.getBoundingClientRect().top ?? 0
    // From what is in view, which starts below the sticky head.
    const below = (mark: HTMLElement) => mark.getBoundingClientRect().top - top - 40
    const next =
      by > 0 ? marks.find((mark) => below(mark) > 1) : marks.findLast((mark) => below(mark) < -1)
    if (next && scroller.current) scroller.current.scrollTop += below(next)
  }
  return (
    <div
      aria-busy={isPending}
      className={cx('flex min-w-0 flex-col gap-1.5', isPending && 'opacity-60')}
    >
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 gap-y-1 text-sm text-text-3">
        <span>
          {isSame
            ? 'No differences'
            : [
                diff.removed > 0 && `${countOf(diff.removed, 'line')} removed`,
                diff.added > 0 && `${countOf(diff.added, 'line')} added`,
              ]
                .filter(Boolean)
                .join(', ')}
        </span>
        {texts.isReordered && <span>Names are in another order, which is not shown.</span>}
        {isSame && before !== after && !texts.isReordered && (
          <span>They are written differently.</span>
        )}
        <span className="ml-auto flex items-center gap-1">
          {!isSame && (
            <>
              <IconButton
                size="sm"
                label="Previous difference"
                icon={<ArrowUp aria-hidden />}
                onPress={() => go(-1)}
              />
              <IconButton
                size="sm"
                label="Next difference"
                icon={<ArrowDown aria-hidden />}
                onPress={() => go(1)}
              />
            </>
          )}
          {props.layout === undefined && (
            <SegmentedControl
              label={`Layout of the difference, ${label}`}
              options={layouts}
              value={layout}
              onChange={diffLayoutPreference.set}
            />
          )}
        </span>
      </div>
      <div
        ref={scroller}
        role="region"
        aria-label={`Difference: ${label}`}
        // A region that scrolls has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="relative min-w-0 overflow-auto rounded-md border border-border bg-surface-1"
        style={{ maxHeight }}
      >
        <table
          className={
            layout === 'sides'
              ? 'w-full min-w-xl table-fixed border-collapse font-mono text-sm'
              : 'w-full border-collapse font-mono text-sm'
          }
        >
          <thead className="sticky top-0 bg-surface-2 text-left font-sans text-xs text-text-3">
            {layout === 'sides' ? (
              <tr>
                <NumberHead name={names[0]} />
                <th className="px-2 py-1 font-medium">{names[0]}</th>
                <NumberHead name={names[1]} hasLine />
                <th className="px-2 py-1 font-medium">{names[1]}</th>
              </tr>
            ) : (
              <tr>
                <NumberHead name={names[0]} />
                <NumberHead name={names[1]} />
                <th className="px-2 py-1 font-medium">
                  − {names[0]}, + {names[1]}
                </th>
              </tr>
            )}
          </thead>
          <tbody>
            {shown.slice(0, limit).map((each, at) => {
              if (each.kind === 'gap')
                return (
                  <tr key={`gap ${each.from}`} className="bg-surface-2">
                    <td colSpan={4} className="p-0 font-sans">
                      <button
                        type="button"
                        onClick={() => setOpened(new Set([...opened, each.from]))}
                        className="w-full px-2 py-0.5 text-left text-text-3 -outline-offset-2 hover:text-text-1"
                      >
                        Show {countOf(each.count, 'line')} that {each.count === 1 ? 'is' : 'are'}{' '}
                        the same
                      </button>
                    </td>
                  </tr>
                )
              const previous = shown[at - 1]
              const isFirst =
                each.row.kind !== 'same' &&
                !(previous?.kind === 'row' && previous.row.kind !== 'same')
              return layout === 'sides' ? (
                <SideRow key={each.index} row={each.row} isFirst={isFirst} />
              ) : (
                <InlineRow key={each.index} row={each.row} isFirst={isFirst} />
              )
            })}
          </tbody>
        </table>
        {shown.length > limit && (
          <Button variant="ghost" size="sm" onPress={() => setLimit(limit + 4 * firstRows)}>
            Show {formatExact(Math.min(4 * firstRows, shown.length - limit))} more lines
          </Button>
        )}
      </div>
    </div>
  )
}

function NumberHead({ name, hasLine }: { name: string; hasLine?: boolean }) {
  return (
    <th className={hasLine ? 'w-12 border-l border-border' : 'w-12'}>
      <span className="sr-only">Line in {name}</span>
    </th>
  )
}
