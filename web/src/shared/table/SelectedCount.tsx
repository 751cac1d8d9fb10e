import { X } from 'lucide-react'
import { IconButton } from '@/shared/ui'

/** How many rows are selected, with a cross that takes the selection back. */
export function SelectedCount({ count, onClear }: { count: number; onClear: () => void }) {
  return (
    <span className="flex items-center text-text-2">
      <span className="tabular">{count} selected</span>
      <IconButton
        size="sm"
        label="Clear the selection (Esc)"
        icon={<X aria-hidden />}
        onPress={onClear}
      />
    </span>
  )
}
