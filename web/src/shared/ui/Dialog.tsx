import { X } from 'lucide-react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useEffect, type ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { IconButton } from './IconButton'
import { keepFocus } from './keepFocus'

export type DialogProps = {
  title: string
  isOpen: boolean
  onClose: () => void
  /**
   * Whether a click outside or Esc closes it; false while something is in progress or a secret is shown that will not
   * be shown again.
   */
  isDismissable?: boolean
  size?: 'md' | 'lg'
  role?: 'dialog' | 'alertdialog'
  children: ReactNode
}

/** For quick creation and for changes that cannot be undone; everything else has a URL. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isDismissable = true,
  size = 'md',
  role,
  children,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={isDismissable}
      isKeyboardDismissDisabled={!isDismissable}
      className="z-overlay fixed inset-0 flex items-start justify-center overflow-y-auto bg-scrim p-4 pt-[12vh]"
    >
      <Modal
        className={cx(
          'w-full rounded-lg bg-surface-0 shadow-pop',
          size === 'lg' ? 'max-w-2xl' : 'max-w-md',
        )}
      >
        <AriaDialog role={role} className="flex flex-col outline-none">
          <header className="flex items-center justify-between gap-4 border-b border-border py-2 pr-2 pl-4">
            <Heading slot="title" className="min-w-0 truncate text-lg font-medium">
              {title}
            </Heading>
            {isDismissable && (
              <IconButton label="Close" icon={<X aria-hidden />} onPress={onClose} />
            )}
          </header>
          <div className="p-4">{children}</div>
          <FocusKeeper />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Mounted while the dialog is open. */
function FocusKeeper() {
  // Focus is outside React. React Aria returns it to the element that opened the dialog, if that still exists.
  useEffect(() => keepFocus, [])
  return null
}
