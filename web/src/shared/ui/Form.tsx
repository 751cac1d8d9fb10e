import type { ComponentProps } from 'react'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit' | 'action'> & { onSubmit: () => void }

/**
 * A form that our own code sends. All forms are this one: React passes events on from what is rendered elsewhere, so that
 * a dialog inside a form, which is outside of it in the document, would submit both.
 */
export function Form({ onSubmit, ...props }: FormProps) {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}
