import type { ReactNode } from 'react'
import { Button, Callout } from '@/ui'

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
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {error !== undefined && <Callout tone="danger">{error}</Callout>}
      <Button type="submit" variant="primary" size="lg" isPending={isPending}>
        {action}
      </Button>
    </form>
  )
}
