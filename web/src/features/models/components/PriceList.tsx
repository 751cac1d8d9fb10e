import { formatMoney } from '@/shared/lib/format'

/** Prices in one line, per million units. */
export function PriceList({ prices }: { prices: Record<string, number> }) {
  const entries = Object.entries(prices)
  if (entries.length === 0) return <span className="text-text-3">No prices</span>
  return (
    <span className="tabular text-sm">
      {entries.map(([usage, price], index) => (
        <span key={usage} className="whitespace-nowrap">
          {index > 0 && ' · '}
          <span className="text-text-3">{usage}</span> {formatMoney(price * 1e6)}
        </span>
      ))}
    </span>
  )
}
