import { countOf, formatCount } from '@/shared/lib/format'
import { Callout, Money } from '@/shared/ui'
import type { Estimates } from '../api/useRuns'

/** What experiments would take, and which items they cannot ask about. */
export function EstimateView({ estimates }: { estimates: Estimates }) {
  const { items, experiments } = estimates
  const problems = experiments.flatMap((each) => each.problems)
  return (
    <div role="status" className="flex flex-col gap-2">
      <p className="text-sm text-text-2">
        {countOf(items, 'item')}. Tokens are guessed from the lengths of the texts.
      </p>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-border text-left text-text-3">
            <th className="py-1 pr-2 font-normal">Experiment</th>
            <th className="py-1 pr-2 text-right font-normal">Calls</th>
            <th className="py-1 pr-2 text-right font-normal">Tokens</th>
            <th className="py-1 text-right font-normal">Cost</th>
          </tr>
        </thead>
        <tbody>
          {experiments.map((each) => (
            <tr key={each.name}>
              <td className="py-1 pr-2 break-words">
                <bdi>{each.name}</bdi>
              </td>
              <td className="tabular py-1 pr-2 text-right">{formatCount(each.calls)}</td>
              <td className="tabular py-1 pr-2 text-right">
                {formatCount(each.inputTokens + each.outputTokens)}
              </td>
              <td className="py-1 text-right">
                {each.cost === null ? 'no price' : <Money amount={each.cost} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {problems.length > 0 && (
        <Callout tone="warning" title="Some calls would fail">
          <ul>
            {[...new Set(problems.map(({ message }) => message))].map((message) => (
              <li key={message}>
                {message}:{' '}
                {countOf(problems.find((each) => each.message === message)?.items ?? 0, 'item')}
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </div>
  )
}
