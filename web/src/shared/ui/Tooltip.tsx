import { Tooltip as AriaTooltip } from 'react-aria-components'
import type { ReactNode } from 'react'

/** The text of a TooltipTrigger. */
export function Tooltip({ children }: { children: ReactNode }) {
  return (
    <AriaTooltip
      offset={6}
      className="z-overlay max-w-80 rounded-md bg-surface-0 px-2 py-1 text-sm text-text-1 shadow-pop"
    >
      {children}
    </AriaTooltip>
  )
}
