import type { ReactNode } from 'react'
import { Button, FormLayout } from '@/ui'

type AuthFormProps = {
  onSubmit: () => void
  /** What is wrong with the whole. */
  error: string | undefined
  /** What the button does. */
  action: string
  isPending: boolean
  children: ReactNode
}

/** The form of a page before sign-in: its fields, and one button as wide as they are. */
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
