import { X } from 'lucide-react'
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react'
import { IconButton } from './IconButton'
import { Splitter, useSplit } from './Splitter'

type SidePanelProps = {
  /** What is in it: "Selected trace". */
  label: string
  /** Left of the button that closes it. */
  header: ReactNode
  onClose: () => void
  /** What Esc does, if it does not close the panel. */
  onEscape?: () => void
  children: ReactNode
}

/**
 * What belongs to a row, over the right side of its table: nothing below it moves. On narrow screens it covers the page.
 */
export function SidePanel({
  label,
  header,
  onClose,
  onEscape = onClose,
  children,
}: SidePanelProps) {
  const split = useSplit('almanac.peek.width', { min: 30, max: 85, initial: 55 })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    onEscape()
  }
  return (
    <div
      className="fixed inset-0 z-drawer flex min-h-0 bg-surface-0 md:absolute md:left-auto md:w-(--peek-width) md:shadow-pop"
      style={{ '--peek-width': `${split.percent}%` } as CSSProperties}
    >
      <Splitter
        label="Width of the panel"
        split={split}
        pane="around"
        className="hidden md:block"
      />
      {/* Keys of what is inside come here only if nothing there has taken them. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <section
        aria-label={label}
        onKeyDown={onKeyDown}
        className="flex min-h-0 min-w-0 flex-1 flex-col"
      >
        <header className="flex h-10 shrink-0 items-center gap-1 border-b border-border px-2">
          {header}
          <IconButton size="sm" label="Close (Esc)" icon={<X aria-hidden />} onPress={onClose} />
        </header>
        {children}
      </section>
    </div>
  )
}
