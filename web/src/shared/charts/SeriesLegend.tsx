import { Swatch } from './Swatch'
import type { ChartTone } from './tone'

type SeriesLegendProps = {
  items: readonly { label: string; tone: ChartTone }[]
  hidden: ReadonlySet<string>
  onChange: (hidden: ReadonlySet<string>) => void
}

/** The names of the series, each a switch. With Alt or Shift, only that series is shown, or all again. */
export function SeriesLegend({ items, hidden, onChange }: SeriesLegendProps) {
  const toggle = (label: string, isOnly: boolean) => {
    const others = items.map((item) => item.label).filter((each) => each !== label)
    if (!isOnly) {
      const next = new Set(hidden)
      if (!next.delete(label)) next.add(label)
      onChange(next)
    } else if (!hidden.has(label) && others.every((each) => hidden.has(each))) onChange(new Set())
    else onChange(new Set(others))
  }
  return (
    <ul aria-label="Series" className="flex min-w-0 flex-wrap gap-x-1 gap-y-0.5 text-sm">
      {items.map(({ label, tone }) => {
        const isShown = !hidden.has(label)
        return (
          <li key={label} className="min-w-0">
            <button
              type="button"
              aria-pressed={isShown}
              title="Alt-click shows only this one"
              onClick={(event) => toggle(label, event.altKey || event.shiftKey)}
              className={
                isShown
                  ? 'flex min-h-6 max-w-48 items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-text-2 hover:bg-surface-2'
                  : 'flex min-h-6 max-w-48 items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-text-3 line-through hover:bg-surface-2'
              }
            >
              <Swatch tone={isShown ? tone : 'muted'} />
              <span className="truncate">{label}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
