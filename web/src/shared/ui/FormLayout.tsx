import { useRef, type ReactNode } from 'react'
import { Callout } from './Callout'
import { DialogActions } from './DialogActions'
import { Form } from './Form'

type FormLayoutProps = {
  onSubmit: () => void
  error?: string
  children: ReactNode
  actions: ReactNode
  wide?: boolean
}

/** A column of fields, the error of the whole form, and the buttons. Enter submits, once. */
export function FormLayout({ onSubmit, error, children, actions, wide }: FormLayoutProps) {
  const form = useRef<HTMLFormElement>(null)
  const submit = () => {
    // A pending button is not a submit button. Browsers still submit a form without one on Enter.
    if (form.current?.querySelector('[type="submit"]')) onSubmit()
  }
  return (
    <Form
      ref={form}
      onSubmit={submit}
      noValidate
      className={wide ? 'flex flex-col gap-4' : 'flex max-w-md flex-col gap-4'}
    >
      {children}
      {error !== undefined && <Callout tone="danger">{error}</Callout>}
      {wide ? (
        <DialogActions>{actions}</DialogActions>
      ) : (
        <div className="flex flex-wrap items-center gap-2">{actions}</div>
      )}
    </Form>
  )
}
