import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '@/lib/cx'

type CheckboxProps = {
  isSelected: boolean
  /** Some of what it stands for is selected. */
  isIndeterminate?: boolean
  isDisabled?: boolean
  onChange: (isSelected: boolean) => void
  excludeFromTabOrder?: boolean
  'aria-label'?: string
  children?: ReactNode
  description?: ReactNode
  className?: string
}

/** The browser's own checkbox in our colours: lists have one in every row, and draw two rows in a frame. */
export function Checkbox(props: CheckboxProps) {
  const { isSelected, isIndeterminate = false, children, description } = props
  return (
    <label
      className={cx('flex items-start gap-2', props.isDisabled && 'opacity-50', props.className)}
    >
      <span className="relative mt-0.5 flex size-4 shrink-0 items-center justify-center text-on-accent">
        <input
          type="checkbox"
          ref={(input) => {
            if (input) input.indeterminate = isIndeterminate
          }}
          checked={isSelected}
          disabled={props.isDisabled}
          onChange={(event) => props.onChange(event.target.checked)}
          aria-label={props['aria-label']}
          tabIndex={props.excludeFromTabOrder ? -1 : undefined}
          className={cx(
            'absolute inset-0 appearance-none rounded-sm border focus-visible:outline-2 focus-visible:outline-offset-1 focus-visible:outline-accent',
            isSelected || isIndeterminate
              ? 'border-accent bg-accent'
              : 'border-control bg-surface-0',
          )}
        />
        {isIndeterminate ? (
          <Minus aria-hidden className="pointer-events-none relative size-3" />
        ) : (
          isSelected && (
            <Check aria-hidden className="pointer-events-none relative size-3" strokeWidth={3} />
          )
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
    </label>
  )
}
