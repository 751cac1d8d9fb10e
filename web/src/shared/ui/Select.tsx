import { Check, ChevronDown } from 'lucide-react'
import {
  Button,
  ListBox,
  ListBoxItem,
  Popover,
  Select as AriaSelect,
  SelectValue,
  Text,
} from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { FieldParts } from './FieldParts'
import { inputClass, itemClass, popoverClass } from './fieldClass'
import type { Option } from './Option'

type SelectProps<K extends string> = {
  label: string
  /** The label is visible only to screen readers, for selects in toolbars and rows. */
  hideLabel?: boolean
  description?: ReactNode
  error?: string
  options: readonly Option<K>[]
  value: K | null
  onChange: (value: K) => void
  placeholder?: string
  isDisabled?: boolean
  name?: string
  className?: string
}

/** A choice between a few options. For many, or for free text, there is ComboBox. */
export function Select<K extends string>(props: SelectProps<K>) {
  const {
    label,
    hideLabel,
    description,
    error,
    options,
    value,
    onChange,
    placeholder,
    isDisabled,
    name,
    className,
  } = props
  const control = (
    <Button className={cx(inputClass, 'flex items-center justify-between gap-2 text-left')}>
      <SelectValue className="min-w-0 truncate data-placeholder:text-text-3 **:[[slot=description]]:hidden" />
      <ChevronDown aria-hidden className="size-4 shrink-0 text-text-3" />
    </Button>
  )
  return (
    <AriaSelect
      aria-label={hideLabel ? label : undefined}
      name={name}
      placeholder={placeholder ?? 'Choose'}
      isDisabled={isDisabled}
      isInvalid={error !== undefined}
      value={value}
      onChange={(key) => {
        const chosen = options.find((option) => option.id === key)
        if (chosen) onChange(chosen.id)
      }}
      className={cx('flex flex-col gap-1', className)}
    >
      {hideLabel ? (
        control
      ) : (
        <FieldParts label={label} description={description} error={error}>
          {control}
        </FieldParts>
      )}
      <Popover className={popoverClass}>
        <ListBox items={options} className="outline-none">
          {(option) => (
            <ListBoxItem
              id={option.id}
              textValue={option.label}
              isDisabled={option.isDisabled}
              className={itemClass}
            >
              {({ isSelected }) => (
                <>
                  {option.icon}
                  <span className="min-w-0 flex-1">
                    <Text slot="label" className="block">
                      {option.label}
                    </Text>
                    {option.description !== undefined && (
                      <Text slot="description" className="block text-sm text-text-3">
                        {option.description}
                      </Text>
                    )}
                  </span>
                  {isSelected && <Check aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
