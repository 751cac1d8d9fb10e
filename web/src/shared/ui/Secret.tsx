import { CopyButton } from './CopyButton'

/** A key or a link that is shown in full, once, with a copy button. */
export function Secret({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-sm font-medium text-text-2">{label}</span>
      <div className="flex items-center gap-1 rounded-md border border-border bg-surface-1 pr-1 pl-2.5">
        <code className="min-w-0 flex-1 py-1.5 font-mono text-sm break-all select-all">
          {value}
        </code>
        <CopyButton text={value} label={`Copy ${label.toLowerCase()}`} />
      </div>
    </div>
  )
}
