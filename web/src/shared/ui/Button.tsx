import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { buttonClass, type ButtonSize, type ButtonVariant } from './buttonClass'
import { Spinner } from './Spinner'

export type ButtonProps = Omit<AriaButtonProps, 'className' | 'children' | 'style'> & {
  variant?: ButtonVariant
  size?: ButtonSize
  icon?: ReactNode
  className?: string
  children: ReactNode
}

/** A button with text. While isPending, it shows a spinner and ignores presses. */
export function Button({
  variant = 'secondary',
  size = 'md',
  icon,
  className,
  children,
  ...props
}: ButtonProps) {
  return (
    <AriaButton {...props} className={cx(buttonClass(variant, size), className)}>
      {props.isPending ? <Spinner /> : icon}
      {children}
    </AriaButton>
  )
}
