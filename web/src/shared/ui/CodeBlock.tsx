import { cx } from '@/shared/lib/cx'
import { CopyButton } from './CopyButton'

type CodeBlockProps = {
  code: string
  label: string
  /** What is copied, if only its beginning is shown. */
  copied?: string
  wrap?: boolean
}

/** Code to copy. Can be scrolled sideways with the keyboard. */
export function CodeBlock({ code, label, copied = code, wrap }: CodeBlockProps) {
  return (
    <div className="relative rounded-md border border-border bg-surface-1">
      <pre
        // A region that scrolls has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label={label}
        className={cx(
          'overflow-x-auto p-3 pr-10 font-mono text-sm',
          wrap && 'break-all whitespace-pre-wrap',
        )}
      >
        <code>{code}</code>
      </pre>
      <CopyButton
        text={copied}
        label={`Copy ${label}`}
        className="absolute top-2 right-2 bg-surface-1"
      />
    </div>
  )
}
