import { Duration, Money, ObservationType, Time, Tokens } from '@/ui'
import { nameOf, type Row } from '../model/rows'
import type { Table } from '../model/view'
import { Level } from './Level'

/** What is known of a row at once. */
export function PeekContent({ table, row }: { table: Table; row: Row | undefined }) {
  if (!row) return <p className="p-3 text-text-3">This row is not in the list. Open the trace.</p>
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
      <h2 className="text-lg font-medium break-words">{nameOf(table, row)}</h2>
      <p className="flex flex-wrap items-center gap-3 text-text-2">
        <ObservationType type={row.type} />
        <Level level={row.level} />
        <Time at={row.startTime} absolute />
        <Duration milliseconds={row.latency === null ? null : row.latency * 1000} />
        <Tokens count={row.totalTokens ?? row.usage.total} />
        <Money amount={row.totalCost} />
      </p>
      {row.statusMessage && <p className="break-words text-danger">{row.statusMessage}</p>}
      <Part title="Input" text={row.inputPreview} />
      <Part title="Output" text={row.outputPreview} />
    </div>
  )
}

function Part({ title, text }: { title: string; text: string | null }) {
  if (text === null) return null
  return (
    <section>
      <h3 className="pb-1 text-sm text-text-3">{title}</h3>
      <p className="rounded-md bg-surface-1 p-2 break-words whitespace-pre-wrap">{text}</p>
    </section>
  )
}
