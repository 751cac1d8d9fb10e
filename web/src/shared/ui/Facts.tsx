import type { ReactNode } from 'react'

type FactsProps = { facts: readonly { label: string; value: ReactNode }[] }

/** A few labelled values, side by side. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2">
      {facts.map(({ label, value }) => (
        <div key={label} className="flex min-w-0 flex-col">
          <dt className="text-sm text-text-3">{label}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
