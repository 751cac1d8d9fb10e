import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'

type SwitchProps = Omit<AriaSwitchProps, 'className' | 'children' | 'style'> & {
  children: ReactNode
  className?: string
}

/** An on/off switch that takes effect immediately, without a form. */
export function Switch({ children, className, ...props }: SwitchProps) {
  return (
    <AriaSwitch
      {...props}
      className={cx('group flex items-center gap-2 data-disabled:opacity-50', className)}
    >
      <span className="flex h-4 w-7 shrink-0 items-center rounded-full border border-control bg-surface-2 p-px transition-colors duration-100 group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-1 group-data-focus-visible:outline-accent group-data-selected:border-accent group-data-selected:bg-accent">
        <span className="size-3 rounded-full bg-control transition-transform duration-100 group-data-selected:translate-x-3 group-data-selected:bg-on-accent" />
      </span>
      <span>{children}</span>
    </AriaSwitch>
  )
}
