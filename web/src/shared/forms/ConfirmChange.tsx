import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '@/shared/api'
import { ConfirmDialog } from '@/shared/ui'

type ConfirmChangeProps<V> = {
  title: string
  /** The label of the button, beginning with a verb: "Delete project". */
  action: string
  /** What has to be typed before the button works. */
  typed?: string
  change: Pick<UseMutationResult<unknown, Error, V>, 'mutate' | 'reset' | 'isPending' | 'error'>
  /** The variables of the change; the dialog is open while they are defined. */
  variables: V | undefined
  /** Called after the change, and when the user cancels. */
  onClose: () => void
  /** Called after the change. */
  onDone: () => void | Promise<void>
  children: ReactNode
}

/** Asks before a change that cannot be undone, makes the change, and shows the error if it fails. */
export function ConfirmChange<V>(props: ConfirmChangeProps<V>) {
  const { title, action, typed, change, variables, onClose, onDone, children } = props
  return (
    <ConfirmDialog
      title={title}
      action={action}
      typed={typed}
      isOpen={variables !== undefined}
      isPending={change.isPending}
      error={change.error === null ? undefined : messageOf(change.error)}
      onClose={() => {
        onClose()
        change.reset()
      }}
      onConfirm={() => {
        if (variables === undefined) return
        change.mutate(variables, {
          onSuccess: () => {
            onClose()
            return onDone()
          },
        })
      }}
    >
      {children}
    </ConfirmDialog>
  )
}
