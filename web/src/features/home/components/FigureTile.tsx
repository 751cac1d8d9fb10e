import { Link } from '@tanstack/react-router'
import { TrendingDown, TrendingUp } from 'lucide-react'
import { cx } from '@/shared/lib/cx'
import { changeOf, type Change } from '../model/change'
import type { RowsLink } from '../model/links'

type FigureTileProps = {
  projectId: string
  label: string
  now: number | undefined
  before: number | undefined
  format: (value: number) => string
  link: RowsLink
  /** Whether more is worse or better; without it a change is neutral. */
  moreIs?: 'worse' | 'better'
}

/** A figure of the range and its change from the previous range, linked to its rows. */
export function FigureTile(props: FigureTileProps) {
  const { projectId, label, now, before, format, link, moreIs } = props
  const change = changeOf(now, before)
  return (
    <Link
      {...link}
      params={{ projectId }}
      className="flex min-w-0 flex-col gap-0.5 rounded-md border border-border bg-surface-0 px-3 py-2 hover:border-control"
    >
      <span className="truncate text-sm text-text-3">{label}</span>
      <span className="tabular truncate text-xl font-semibold">
        {now === undefined ? '–' : format(now)}
      </span>
      <span className={cx('flex items-center gap-1 text-sm', toneOf(change, moreIs))}>
        {change?.direction === 'up' && <TrendingUp aria-hidden className="size-3.5" />}
        {change?.direction === 'down' && <TrendingDown aria-hidden className="size-3.5" />}
        <span className="truncate">
          {change
            ? sentence(change)
            : before === undefined || before === 0
              ? 'No earlier data'
              : `${format(before)} before`}
        </span>
      </span>
    </Link>
  )
}

function sentence({ text, direction }: Change): string {
  if (direction === 'same') return 'No change'
  return text.includes('times') ? text : `${text} ${direction === 'up' ? 'more' : 'less'}`
}

function toneOf(change: Change | undefined, moreIs: 'worse' | 'better' | undefined): string {
  if (!change || change.direction === 'same' || moreIs === undefined) return 'text-text-3'
  return (change.direction === 'up') === (moreIs === 'better') ? 'text-success' : 'text-danger'
}
