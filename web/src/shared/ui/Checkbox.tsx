import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'

type CheckboxProps = {
  isSelected: boolean
  /** Whether some but not all of the items are selected. */
  isIndeterminate?: boolean
  isDisabled?: boolean
  onChange: (isSelected: boolean) => void
  excludeFromTabOrder?: boolean
  'aria-label'?: string
  children?: ReactNode
  description?: ReactNode
  className?: string
}

/** The native checkbox in our colours: lists have one in every row, and render two rows per frame. */
export function Checkbox(props: CheckboxProps) {
  const { isSelected, isIndeterminate = false, children, description } = props
  return (
    <label
      className={cx('flex items-start gap-2', props.isDisabled && 'opacity-50', props.className)}
    >
      <span className="relative my-0.5 size-4 shrink-0">
        {/* Larger than what is seen of it: 24 pixels can be hit by a finger. */}
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
          className="peer absolute -inset-1 appearance-none outline-none"
        />
        <span
          className={cx(
            'pointer-events-none relative flex size-4 items-center justify-center rounded-sm border peer-focus-visible:outline-2 peer-focus-visible:outline-offset-1 peer-focus-visible:outline-accent',
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
