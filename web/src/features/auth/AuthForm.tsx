import type { ReactNode } from 'react'
import { Button, FormLayout } from '@/shared/ui'

type AuthFormProps = {
  onSubmit: () => void
  /** An error that concerns the form as a whole. */
  error: string | undefined
  /** The label of the button. */
  action: string
  isPending: boolean
  children: ReactNode
}

/** The form of a page before sign-in: its fields and one full-width button. */
export function AuthForm({ onSubmit, error, action, isPending, children }: AuthFormProps) {
  return (
    <FormLayout
      wide
      onSubmit={onSubmit}
      error={error}
      actions={
        <Button type="submit" variant="primary" size="lg" isPending={isPending} className="w-full">
          {action}
        </Button>
      }
    >
      {children}
    </FormLayout>
  )
}
