import {
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Popover,
  Separator,
  type Placement,
} from 'react-aria-components'
import { Fragment, type ReactElement, type ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { itemClass, popoverClass } from './fieldClass'

export type MenuAction = {
  id: string
  label: string
  icon?: ReactNode
  hint?: ReactNode
  onAction: () => void
  isDanger?: boolean
  isDisabled?: boolean
  /** A line above it. */
  startsGroup?: boolean
}

type MenuProps = {
  label: string
  trigger: ReactElement
  /** The actions; false leaves one out. */
  actions: readonly (MenuAction | false | undefined)[]
  placement?: Placement
  /** Whether it is open, if somebody else decides. */
  isOpen?: boolean
  onOpenChange?: (isOpen: boolean) => void
  /** Whether the first action gets the focus although no key has opened the menu by itself. */
  startsAtFirst?: boolean
}

/** A button with a menu of actions. */
export function Menu({
  label,
  trigger,
  actions,
  placement = 'bottom start',
  startsAtFirst = false,
  ...open
}: MenuProps) {
  return (
    <MenuTrigger {...open}>
      {trigger}
      <Popover placement={placement} className={cx(popoverClass, 'min-w-44')}>
        <AriaMenu
          aria-label={label}
          {...(startsAtFirst && { autoFocus: 'first' })}
          className="outline-none"
        >
          {actions
            .filter((action) => action !== false && action !== undefined)
            .map((action) => (
              <Fragment key={action.id}>
                {action.startsGroup && <Separator className="mx-1 my-1 h-px bg-border" />}
                <MenuItem
                  id={action.id}
                  textValue={action.label}
                  onAction={action.onAction}
                  isDisabled={action.isDisabled}
                  className={cx(itemClass, action.isDanger && 'text-danger')}
                >
                  {action.icon}
                  <span className="min-w-0 flex-1 truncate">{action.label}</span>
                  {action.hint}
                </MenuItem>
              </Fragment>
            ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
