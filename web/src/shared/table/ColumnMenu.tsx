import { ArrowDown, ArrowUp, Columns3, Pin, PinOff } from 'lucide-react'
import { useState } from 'react'
import { Dialog, DialogTrigger, Input, Popover, SearchField } from 'react-aria-components'
import { usePreference } from '@/shared/lib/preference'
import { densityPreference } from '@/shared/lib/preferences'
import { Button, Checkbox, IconButton, inputClass, SegmentedControl } from '@/shared/ui'
import { isShown, moveColumn, orderColumns, toggleColumn, togglePin, type Column } from './columns'
import type { TableState } from './tableState'

type ColumnMenuProps<Row> = {
  columns: readonly Column<Row>[]
  state: TableState
  onStateChange: (state: TableState) => void
  onOpen?: () => void
}

/** From this many columns on, there is a field to search for one. */
const many = 12

const densities = [
  { id: 'compact', label: 'Compact' },
  { id: 'normal', label: 'Normal' },
  { id: 'comfortable', label: 'Comfortable' },
] as const

/** Shows, hides, pins and moves columns, and sets the height of rows. */
export function ColumnMenu<Row>({ columns, state, onStateChange, onOpen }: ColumnMenuProps<Row>) {
  const [wanted, setWanted] = useState('')
  const density = usePreference(densityPreference)
  const ordered = orderColumns(columns, state)
  const found = ordered
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.header.toLowerCase().includes(wanted.trim().toLowerCase()))
  const groups = [...new Set(found.map(({ column }) => column.group))]
  return (
    <DialogTrigger onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      <IconButton label="Columns" size="sm" icon={<Columns3 aria-hidden />} />
      <Popover
        placement="bottom end"
        className="z-overlay rounded-md bg-surface-0 shadow-pop outline-none"
      >
        <Dialog aria-label="Columns" className="flex w-72 flex-col gap-2 p-3 outline-none">
          {columns.length > many && (
            <SearchField aria-label="Find a column" value={wanted} onChange={setWanted}>
              <Input placeholder="Find a column" className={inputClass} />
            </SearchField>
          )}
          <div className="flex max-h-80 flex-col overflow-auto">
            {groups.map((group) => (
              <section key={group ?? ''} aria-label={group ?? 'Columns'}>
                {group !== undefined && <h3 className="pt-2 pb-1 text-xs text-text-3">{group}</h3>}
                <ul>
                  {found
                    .filter(({ column }) => column.group === group)
                    .map(({ column, index }) => {
                      const isPinned = state.pinned?.includes(column.id) ?? false
                      return (
                        <li key={column.id} className="flex h-7 items-center gap-0.5">
                          <Checkbox
                            isSelected={isShown(column, state)}
                            isDisabled={column.required}
                            onChange={() => onStateChange(toggleColumn(column, state))}
                            className="min-w-0 flex-1"
                          >
                            <span className="truncate">{column.header}</span>
                          </Checkbox>
                          <IconButton
                            size="sm"
                            label={`Move ${column.header} left`}
                            icon={<ArrowUp aria-hidden />}
                            isDisabled={index === 0}
                            onPress={() => onStateChange(moveColumn(columns, state, column.id, -1))}
                          />
                          <IconButton
                            size="sm"
                            label={`Move ${column.header} right`}
                            icon={<ArrowDown aria-hidden />}
                            isDisabled={index === ordered.length - 1}
                            onPress={() => onStateChange(moveColumn(columns, state, column.id, 1))}
                          />
                          <IconButton
                            size="sm"
                            label={isPinned ? `Unpin ${column.header}` : `Pin ${column.header}`}
                            icon={isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />}
                            onPress={() => onStateChange(togglePin(column.id, state))}
                          />
                        </li>
                      )
                    })}
                </ul>
              </section>
            ))}
            {found.length === 0 && <p className="text-text-3">No such column</p>}
          </div>
          <div className="flex items-center justify-between gap-2 border-t border-border pt-2">
            <SegmentedControl
              label="Row height"
              options={densities}
              value={density}
              onChange={densityPreference.set}
            />
            <Button size="sm" variant="ghost" onPress={() => onStateChange({ sort: state.sort })}>
              Reset
            </Button>
          </div>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
