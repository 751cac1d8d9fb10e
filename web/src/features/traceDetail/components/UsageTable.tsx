import { formatExact, formatMoney } from '@/shared/lib/format'
import { usageRows } from '../model/usage'
import type { Detail } from '../model/wire'

/** Tokens and cost by type, and how they were priced. */
export function UsageTable({ detail }: { detail: Detail }) {
  const rows = usageRows(detail.usageDetails, detail.costDetails)
  if (rows.length === 0) return null
  return (
    <details className="group rounded-md border border-border">
      <summary className="flex cursor-default flex-wrap items-center gap-x-3 px-3 py-1.5 text-sm text-text-2 select-none">
        <span className="font-medium text-text-1">Usage and cost</span>
        <span className="tabular">{formatExact(detail.usage.total ?? 0)} tokens</span>
        {detail.totalCost !== null && (
          <span className="tabular">{formatMoney(detail.totalCost)}</span>
        )}
      </summary>
      <div className="overflow-x-auto px-3 pb-2">
        <table className="w-full text-sm">
          <thead>
            <tr className="text-left text-text-3 [&_th]:py-1 [&_th]:font-normal">
              <th scope="col">Type</th>
              <th scope="col" className="text-right">
                Units
              </th>
              <th scope="col" className="text-right">
                Cost
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ type, units, cost }) => (
              <tr key={type} className="border-t border-border/60 [&_td]:py-1">
                <td className="max-w-60 truncate font-mono" title={type}>
                  {type}
                </td>
                <td className="tabular text-right">
                  {units === undefined ? '–' : formatExact(units)}
                </td>
                <td className="tabular text-right">
                  {cost === undefined ? '–' : formatMoney(cost)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="pt-1 text-sm text-text-3">
          {detail.modelId === null
            ? 'No model definition matched; costs are what the application sent.'
            : `Priced by a model definition${detail.usagePricingTierName === null ? '' : `, tier “${detail.usagePricingTierName}”`}.`}
        </p>
      </div>
    </details>
  )
}
