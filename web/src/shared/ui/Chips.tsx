import { X } from 'lucide-react'
import { Button, Label, Tag, TagGroup, TagList } from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'

type ChipsProps = {
  label: string
  /** The label is visible only to screen readers. */
  hideLabel?: boolean
  chips: readonly { id: string; label: string }[]
  /** Makes them removable, by their button and by Delete. */
  onRemove?: (id: string) => void
  /** Shown if there are none. */
  empty?: ReactNode
  className?: string
}

/** Short values side by side. The arrow keys go from one to the next. */
export function Chips({ label, hideLabel, chips, onRemove, empty, className }: ChipsProps) {
  return (
    <TagGroup
      aria-label={hideLabel ? label : undefined}
      onRemove={onRemove && ((keys) => [...keys].forEach((key) => onRemove(String(key))))}
      className={cx('flex min-w-0 flex-col gap-1', className)}
    >
      {!hideLabel && <Label className="text-sm font-medium text-text-2">{label}</Label>}
      <TagList
        items={chips}
        renderEmptyState={() => <span className="text-sm text-text-3">{empty ?? 'None'}</span>}
        className="flex min-w-0 flex-wrap gap-1"
      >
        {(chip) => (
          <Tag
            id={chip.id}
            textValue={chip.label}
            className="flex h-6 max-w-full cursor-default items-center gap-1 rounded-sm bg-surface-2 px-2 text-sm text-text-1"
          >
            <span className="truncate">{chip.label}</span>
            {onRemove && (
              <Button
                slot="remove"
                className="-mr-1 flex size-5 shrink-0 items-center justify-center rounded-sm text-text-3 hover:bg-surface-3 hover:text-text-1 [&_svg]:size-3"
              >
                <X aria-hidden />
              </Button>
            )}
          </Tag>
        )}
      </TagList>
    </TagGroup>
  )
}
