import type { ReactNode } from 'react'
import { messageOf } from '@/shared/api'
import { Button, FormLayout } from '@/shared/ui'

type SubmitFormProps = {
  /** The label of the button, beginning with a verb: "Create key". */
  action: string
  isDanger?: boolean
  isDisabled?: boolean
  isPending?: boolean
  /** The message of the form, or the error of the last attempt. */
  error?: unknown
  onSubmit: () => void
  onClose: () => void
  /** The label of the button that closes it, if it is not Cancel. */
  close?: string
  children: ReactNode
}

/** A form with its fields, what went wrong, and the buttons that send or close it. */
export function SubmitForm(props: SubmitFormProps) {
  const { action, isDanger, isDisabled, isPending, error, onClose, close = 'Cancel' } = props
  return (
    <FormLayout
      wide
      onSubmit={() => !isPending && props.onSubmit()}
      error={error === undefined || error === null ? undefined : textOf(error)}
      actions={
        <>
          <Button onPress={onClose} isDisabled={isPending}>
            {close}
          </Button>
          <Button
            type="submit"
            variant={isDanger ? 'danger' : 'primary'}
            isDisabled={isDisabled}
            isPending={isPending}
          >
            {action}
          </Button>
        </>
      }
    >
      {props.children}
    </FormLayout>
  )
}

function textOf(error: unknown): string {
  return typeof error === 'string' ? error : messageOf(error)
}
