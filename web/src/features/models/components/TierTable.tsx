import { formatMoney } from '@/shared/lib/format'
import { Badge } from '@/shared/ui'
import type { Model } from '../api/useModels'
import { describeCondition } from '../model/condition'

/** The tiers of a definition: a row for each, a column for each usage type. */
export function TierTable({ tiers }: { tiers: Model['pricingTiers'] }) {
  const usages = [...new Set(tiers.flatMap((tier) => Object.keys(tier.prices)))]
  const sorted = tiers.toSorted(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || a.priority - b.priority,
  )
  return (
    <div
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Prices"
      className="max-w-3xl overflow-x-auto rounded-md border border-border"
    >
      <table className="w-full text-left">
        <thead className="bg-surface-1 text-sm text-text-3">
          <tr className="[&>th]:px-3 [&>th]:py-1.5 [&>th]:font-medium [&>th]:whitespace-nowrap">
            <th scope="col">Tier</th>
            <th scope="col">When</th>
            {usages.map((usage) => (
              <th key={usage} scope="col" className="text-right">
                {usage}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted.map((tier) => (
            <tr key={tier.id} className="border-t border-border align-top [&>*]:px-3 [&>*]:py-1.5">
              <th scope="row" className="font-normal whitespace-nowrap">
                {tier.name} {tier.isDefault && <Badge>Default</Badge>}
              </th>
              <td className="text-text-2">
                {tier.isDefault
                  ? 'No other tier applies'
                  : tier.conditions.map(describeCondition).join(', and ')}
              </td>
              {usages.map((usage) => {
                const price = tier.prices[usage]
                return (
                  <td key={usage} className="tabular text-right whitespace-nowrap">
                    {price === undefined ? '–' : formatMoney(price * 1e6)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
