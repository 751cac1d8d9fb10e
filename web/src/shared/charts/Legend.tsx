import { Swatch } from './Swatch'
import type { ChartTone } from './tone'

type LegendProps = { items: readonly { label: string; tone: ChartTone; isBefore?: boolean }[] }

/** The names of the series, where a chart has more than one. */
export function Legend({ items }: LegendProps) {
  return (
    <span className="flex flex-wrap gap-x-3 text-sm text-text-2">
      {items.map((item) => (
        <span key={item.label} className="flex items-center gap-1.5">
          <Swatch tone={item.tone} isBefore={item.isBefore} />
          {item.label}
        </span>
      ))}
    </span>
  )
}
