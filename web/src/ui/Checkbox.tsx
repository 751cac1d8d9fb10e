import { Check, Minus } from 'lucide-react'
import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
} from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/lib/cx'

type CheckboxProps = Omit<AriaCheckboxProps, 'className' | 'children' | 'style'> & {
  children?: ReactNode
  description?: ReactNode
  className?: string
}

export function Checkbox({ children, description, className, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...props}
      className={cx('group flex items-start gap-2 data-disabled:opacity-50', className)}
    >
      {({ isIndeterminate, isSelected }) => (
        <>
          <span
            className={cx(
              'mt-0.5 flex size-4 shrink-0 items-center justify-center rounded-sm border group-data-focus-visible:outline-2 group-data-focus-visible:outline-offset-1 group-data-focus-visible:outline-accent',
              isSelected || isIndeterminate
                ? 'border-accent bg-accent text-on-accent'
                : 'border-control bg-surface-0',
            )}
          >
            {isIndeterminate ? (
              <Minus aria-hidden className="size-3" />
            ) : (
              isSelected && <Check aria-hidden className="size-3" strokeWidth={3} />
            )}
          </span>
          {children !== undefined && (
            <span className="min-w-0">
              {children}
              {description !== undefined && (
                <span className="block text-sm text-text-3">{description}</span>
              )}
            </span>
          )}
        </>
      )}
    </AriaCheckbox>
  )
}
