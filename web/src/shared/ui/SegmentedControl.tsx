import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { cx } from '@/shared/lib/cx'
import type { Option } from './Option'

type SegmentedControlProps<K extends string> = {
  label: string
  options: readonly Option<K>[]
  value: K
  onChange: (value: K) => void
  className?: string
}

/** A choice between two or three options, all visible. */
export function SegmentedControl<K extends string>({
  label,
  options,
  value,
  onChange,
  className,
}: SegmentedControlProps<K>) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const chosen = options.find((option) => keys.has(option.id))
        if (chosen) onChange(chosen.id)
      }}
      className={cx('inline-flex rounded-md border border-border bg-surface-1 p-px', className)}
    >
      {options.map((option) => (
        <ToggleButton
          key={option.id}
          id={option.id}
          aria-label={option.icon === undefined ? undefined : option.label}
          className="flex h-6 items-center justify-center gap-1 rounded-[5px] px-2 text-sm text-text-3 hover:text-text-1 data-selected:bg-surface-0 data-selected:text-text-1 data-selected:shadow-[0_0_0_1px_var(--color-border)] [&_svg]:size-3.5"
        >
          {option.icon ?? option.label}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}
