import { Check, ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import {
  Autocomplete,
  Button,
  Dialog,
  DialogTrigger,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components'
import { cx } from '@/shared/lib/cx'
import { Chips } from './Chips'
import { inputClass, itemClass } from './fieldClass'
import type { Option } from './Option'

type MultiSelectProps<K extends string> = {
  label: string
  options: readonly Option<K>[]
  value: readonly K[]
  onChange: (value: K[]) => void
  placeholder?: string
  error?: string
  isDisabled?: boolean
  className?: string
}

/** Several of many options: a list that is searched by typing, and the chosen ones as chips below. */
export function MultiSelect<K extends string>(props: MultiSelectProps<K>) {
  const { label, options, value, onChange, placeholder = 'Choose', error, isDisabled } = props
  const id = useId()
  const { contains } = useFilter({ sensitivity: 'base' })
  const [typed, setTyped] = useState('')
  const chosen = options.filter((option) => value.includes(option.id))
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', props.className)}>
      <span id={id} className="text-sm font-medium text-text-2">
        {label}
      </span>
      <DialogTrigger onOpenChange={() => setTyped('')}>
        <Button
          aria-labelledby={`${id} ${id}-count`}
          aria-describedby={error === undefined ? undefined : `${id}-error`}
          isDisabled={isDisabled}
          className={cx(
            inputClass,
            'flex items-center justify-between gap-2 text-left',
            error !== undefined && 'border-danger',
          )}
        >
          <span id={`${id}-count`} className={cx('truncate', chosen.length === 0 && 'text-text-3')}>
            {chosen.length === 0 ? placeholder : `${chosen.length} of ${options.length}`}
          </span>
          <ChevronDown aria-hidden className="size-4 shrink-0 text-text-3" />
        </Button>
        <Popover className="z-overlay w-(--trigger-width) min-w-56 rounded-md bg-surface-0 shadow-pop outline-none">
          <Dialog aria-labelledby={id} className="flex flex-col outline-none">
            <Autocomplete filter={contains} inputValue={typed} onInputChange={setTyped}>
              <SearchField aria-label={`Find in ${label.toLowerCase()}`} autoFocus className="p-1">
                <Input placeholder="Type to filter" className={inputClass} />
              </SearchField>
              <ListBox
                aria-labelledby={id}
                items={options}
                selectionMode="multiple"
                // Esc closes the list and keeps what is chosen.
                escapeKeyBehavior="none"
                selectedKeys={value}
                onSelectionChange={(keys) =>
                  onChange(
                    options
                      .filter((option) => keys === 'all' || keys.has(option.id))
                      .map((option) => option.id),
                  )
                }
                renderEmptyState={() => <p className="px-2 py-1 text-text-3">Nothing found</p>}
                className="max-h-64 overflow-auto p-1 outline-none"
              >
                {(option) => (
                  <ListBoxItem
                    id={option.id}
                    textValue={option.label}
                    isDisabled={option.isDisabled}
                    className={itemClass}
                  >
                    {({ isSelected }) => (
                      <>
                        <span
                          aria-hidden
                          className={cx(
                            'flex size-4 shrink-0 items-center justify-center rounded-sm border',
                            isSelected
                              ? 'border-accent bg-accent text-on-accent'
                              : 'border-control',
                          )}
                        >
                          {isSelected && <Check className="size-3!" strokeWidth={3} />}
                        </span>
                        <span className="min-w-0 truncate">{option.label}</span>
                      </>
                    )}
                  </ListBoxItem>
                )}
              </ListBox>
            </Autocomplete>
          </Dialog>
        </Popover>
      </DialogTrigger>
      {chosen.length > 0 && (
        <Chips
          label={`${label}, chosen`}
          hideLabel
          chips={chosen}
          onRemove={
            isDisabled ? undefined : (gone) => onChange(value.filter((each) => each !== gone))
          }
        />
      )}
      {error !== undefined && (
        <span id={`${id}-error`} className="text-sm text-danger">
          {error}
        </span>
      )}
    </div>
  )
}
