import { Link } from '@tanstack/react-router'
import { linkClass, Time } from '@/shared/ui'
import type { Comparison } from '../model/compare'
import { subjectPage } from '../model/points'

const maxPairs = 200

type PairTableProps = {
  projectId: string
  names: readonly [string, string]
  pairs: Comparison['pairs']
}

/** The objects that were scored with both values, each with a link. */
export function PairTable({ projectId, names, pairs }: PairTableProps) {
  return (
    <div className="min-w-0 overflow-x-auto">
      <table className="tabular w-full text-sm">
        <thead className="text-left text-text-3">
          <tr>
            <th scope="col" className="py-1 pr-4 font-medium">
              What was scored
            </th>
            <th scope="col" className="py-1 pr-4 font-medium">
              {names[0]}
            </th>
            <th scope="col" className="py-1 pr-4 font-medium">
              {names[1]}
            </th>
            <th scope="col" className="py-1 font-medium">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {pairs.slice(0, maxPairs).map(({ subject, first, second }) => {
            const page = subjectPage(projectId, subject)
            return (
              <tr key={first.id} className="border-t border-border">
                <td className="max-w-72 truncate py-1 pr-4">
                  {page && (
                    <Link {...page} className={linkClass}>
                      {subject.kind} {subject.id}
                    </Link>
                  )}
                </td>
                <td className="py-1 pr-4">{first.value}</td>
                <td className="py-1 pr-4">{second.value}</td>
                <td className="py-1">
                  <Time at={new Date(first.at)} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      {pairs.length > maxPairs && (
        <p className="py-1 text-sm text-text-3">The first {maxPairs} of them.</p>
      )}
    </div>
  )
}
