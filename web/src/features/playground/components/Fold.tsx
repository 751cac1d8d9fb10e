import { ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button, Disclosure, DisclosurePanel, Heading } from 'react-aria-components'

type FoldProps = { label: string; summary: ReactNode; children: ReactNode }

/** A part of a window that is folded until it is needed; what is in it is said beside its name. */
export function Fold({ label, summary, children }: FoldProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Disclosure isExpanded={isOpen} onExpandedChange={setIsOpen} className="min-w-0">
      <Heading level={3}>
        <Button
          slot="trigger"
          className="flex h-6 w-full items-center gap-1 rounded-sm text-left text-sm hover:bg-surface-1"
        >
          <ChevronRight
            aria-hidden
            className={isOpen ? 'size-4 rotate-90 text-text-3' : 'size-4 text-text-3'}
          />
          <span className="font-medium text-text-2">{label}</span>
          <span className="min-w-0 truncate text-text-3">{summary}</span>
        </Button>
      </Heading>
      <DisclosurePanel>{isOpen && <div className="pt-2 pl-5">{children}</div>}</DisclosurePanel>
    </Disclosure>
  )
}
