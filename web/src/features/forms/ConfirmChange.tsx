import type { UseMutationResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '@/api'
import { ConfirmDialog } from '@/ui'

type ConfirmChangeProps<V> = {
  title: string
  /** What the button does, as a verb: "Delete project". */
  action: string
  /** What has to be typed before the button works. */
  typed?: string
  change: Pick<UseMutationResult<unknown, Error, V>, 'mutate' | 'reset' | 'isPending' | 'error'>
  /** What the change is made with; the question is asked as long as there is something. */
  variables: V | undefined
  /** Called when it was made, and when the person thinks better of it. */
  onClose: () => void
  /** Called when it was made. */
  onDone: () => void | Promise<void>
  children: ReactNode
}

/** Asks before a change that cannot be undone, makes it, and says why it could not be made. */
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
