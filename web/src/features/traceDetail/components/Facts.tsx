import type { ReactNode } from 'react'
import { CopyButton, Identifier } from '@/shared/ui'

/** Labelled facts in a line that wraps. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="flex min-w-0 flex-wrap items-baseline gap-x-4 gap-y-1 text-sm">{children}</dl>
  )
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 max-w-full items-baseline gap-1.5">
      <dt className="shrink-0 text-text-3">{label}</dt>
      <dd className="flex min-w-0 items-baseline text-text-1">{children}</dd>
    </div>
  )
}

/** An id, cut in its middle if it is long; copying gives the full id. */
export function IdFact({ label, id }: { label: string; id: string }) {
  return (
    <Fact label={label}>
      <span className="flex min-w-0 items-center gap-0.5">
        <Identifier id={id} className="max-w-56" />
        <CopyButton text={id} label={`Copy ${label.toLowerCase()} id`} />
      </span>
    </Fact>
  )
}
