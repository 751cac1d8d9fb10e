import {
  Button as AriaButton,
  TooltipTrigger,
  type ButtonProps as AriaButtonProps,
} from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { Tooltip } from './Tooltip'

export type IconButtonProps = Omit<
  AriaButtonProps,
  'className' | 'children' | 'style' | 'aria-label'
> & {
  /** What it does; announced to screen readers and shown on hover. */
  label: string
  icon: ReactNode
  size?: 'sm' | 'md'
  className?: string
}

/** A button with only an icon. The label is its accessible name and its tooltip. */
export function IconButton({ label, icon, size = 'md', className, ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500} closeDelay={0}>
      <AriaButton
        {...props}
        aria-label={label}
        className={cx(
          'inline-flex shrink-0 items-center justify-center rounded-md border border-transparent text-text-3 transition-colors duration-100 hover:bg-surface-2 hover:text-text-1 data-pressed:bg-surface-3 data-disabled:opacity-40 [&_svg]:size-4',
          size === 'sm' ? 'size-6' : 'size-8',
          className,
        )}
      >
        {icon}
      </AriaButton>
      <Tooltip>{label}</Tooltip>
    </TooltipTrigger>
  )
}
