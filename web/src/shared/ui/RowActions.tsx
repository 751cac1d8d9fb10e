import { Ellipsis } from 'lucide-react'
import { IconButton } from './IconButton'
import { Menu, type MenuAction } from './Menu'

/** What can be done with a row of a list, behind three dots. The label names the row. */
export function RowActions({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  return (
    <Menu
      label={label}
      placement="bottom end"
      trigger={<IconButton size="sm" label={label} icon={<Ellipsis aria-hidden />} />}
      actions={actions}
    />
  )
}
