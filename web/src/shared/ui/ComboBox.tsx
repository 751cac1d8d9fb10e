import { Check, ChevronDown } from 'lucide-react'
import {
  Button,
  ComboBox as AriaComboBox,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
} from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { FieldParts } from './FieldParts'
import { inputClass, itemClass, popoverClass } from './fieldClass'
import type { Option } from './Option'

type ComboBoxProps = {
  label: string
  description?: ReactNode
  error?: string
  options: readonly Option[]
  /** The text in the field; with allowsCustom it need not be an option. */
  inputValue?: string
  onInputChange?: (text: string) => void
  value?: string | null
  onChange?: (id: string | null) => void
  allowsCustom?: boolean
  placeholder?: string
  className?: string
}

/** A field with suggestions; typing filters them. */
export function ComboBox(props: ComboBoxProps) {
  const {
    label,
    description,
    error,
    options,
    inputValue,
    onInputChange,
    value,
    onChange,
    allowsCustom,
    placeholder,
    className,
  } = props
  return (
    <AriaComboBox
      defaultItems={options}
      inputValue={inputValue}
      onInputChange={onInputChange}
      value={value}
      onChange={onChange ? (key) => onChange(key === null ? null : String(key)) : undefined}
      allowsCustomValue={allowsCustom}
      allowsEmptyCollection
      isInvalid={error !== undefined}
      menuTrigger="focus"
      className={cx('flex flex-col gap-1', className)}
    >
      <FieldParts label={label} description={description} error={error}>
        <div className="relative">
          <Input placeholder={placeholder} className={cx(inputClass, 'pr-8')} />
          <Button
            className="absolute inset-y-0 right-0 flex w-8 items-center justify-center text-text-3"
            aria-label="Show suggestions"
          >
            <ChevronDown aria-hidden className="size-4" />
          </Button>
        </div>
      </FieldParts>
      <Popover className={cx(popoverClass, 'w-(--trigger-width)')}>
        <ListBox<Option>
          className="max-h-72 overflow-auto outline-none"
          renderEmptyState={() => <p className="px-2 py-1 text-text-3">No matches</p>}
        >
          {(option) => (
            <ListBoxItem id={option.id} textValue={option.label} className={itemClass}>
              {({ isSelected }) => (
                <>
                  {option.icon}
                  <span className="min-w-0 flex-1 truncate">{option.label}</span>
                  {isSelected && <Check aria-hidden />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  )
}
