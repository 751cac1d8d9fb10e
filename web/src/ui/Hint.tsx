import { Focusable, TooltipTrigger } from 'react-aria-components'
import type { ReactNode } from 'react'
import { Tooltip } from './Tooltip'

/** Words with more about them on hover and on focus. */
export function Hint({
  hint,
  children,
  className,
}: {
  hint: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <TooltipTrigger delay={300} closeDelay={0}>
      <Focusable>
        <span role="note" className={className}>
          {children}
        </span>
      </Focusable>
      <Tooltip>{hint}</Tooltip>
    </TooltipTrigger>
  )
}
