import { cx } from '@/shared/lib/cx'
import { formatShare } from '@/shared/lib/format'
import { Time } from '@/shared/ui'
import { formatAmount, limitNames, shareOf, type Limit } from '../model/limits'

type LimitTableProps = { label: string; limits: readonly Limit[] }

/** What may be used, and how much of it is. */
export function LimitTable({ label, limits }: LimitTableProps) {
  return (
    <div className="min-w-0 overflow-x-auto rounded-md border border-border">
      <table aria-label={label} className="tabular w-full text-left">
        <thead className="bg-surface-1 text-sm text-text-3">
          <tr>
            <th className="px-3 py-1.5 font-medium">Limit</th>
            <th className="px-3 py-1.5 text-right font-medium">Used</th>
            <th className="px-3 py-1.5 text-right font-medium">At most</th>
            <th className="px-3 py-1.5 font-medium max-sm:hidden">Starts again</th>
          </tr>
        </thead>
        <tbody>
          {limitNames.map(({ name, label: what }) => {
            const limit = limits.find((each) => each.name === name)
            return (
              limit && (
                <tr key={name} className="border-t border-border">
                  <th scope="row" className="px-3 py-1.5 font-normal">
                    {what}
                  </th>
                  <td className="px-3 py-1.5 text-right whitespace-nowrap">
                    <Used limit={limit} />
                  </td>
                  <td className="px-3 py-1.5 text-right whitespace-nowrap">
                    {limit.limit === null ? (
                      <span className="text-text-3">No limit</span>
                    ) : (
                      formatAmount(name, limit.limit)
                    )}
                    {limit.limit !== null && limit.isDefault && (
                      <span className="block text-sm text-text-3">of the instance</span>
                    )}
                  </td>
                  <td className="px-3 py-1.5 whitespace-nowrap text-text-3 max-sm:hidden">
                    <Time at={limit.resetsAt} upcoming />
                  </td>
                </tr>
              )
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const nearly = 0.9

function Used({ limit }: { limit: Limit }) {
  const share = shareOf(limit)
  return (
    <>
      {formatAmount(limit.name, limit.used)}
      {share !== undefined && (
        <span className={cx('block text-sm', share >= nearly ? 'text-danger' : 'text-text-3')}>
          {formatShare(share)}
          {share === 1 ? ', used up' : share >= nearly ? ', nearly used up' : ''}
        </span>
      )}
    </>
  )
}
