import {
  Input,
  TextArea,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { FieldParts } from './FieldParts'
import { inputClass } from './fieldClass'

export type TextFieldProps = Omit<AriaTextFieldProps, 'className' | 'children' | 'style'> & {
  label: ReactNode
  description?: ReactNode
  /** The error of the field, from the server or the form. */
  error?: string
  placeholder?: string
  /** The number of rows of a multi-line field. */
  rows?: number
  mono?: boolean
  className?: string
}

export function TextField({
  label,
  description,
  error,
  placeholder,
  rows,
  mono,
  className,
  ...props
}: TextFieldProps) {
  const input = cx(inputClass, mono && 'font-mono text-sm')
  return (
    <AriaTextField
      {...props}
      // Forms show their own errors. The browser's messages would appear when the field loses focus, move the button
      // that is being pressed, and swallow the press.
      validationBehavior="aria"
      isInvalid={error !== undefined || props.isInvalid}
      className={cx('flex flex-col gap-1', className)}
    >
      <FieldParts label={label} description={description} error={error}>
        {rows === undefined ? (
          <Input placeholder={placeholder} className={input} />
        ) : (
          <TextArea placeholder={placeholder} rows={rows} className={cx(input, 'h-auto py-1.5')} />
        )}
      </FieldParts>
    </AriaTextField>
  )
}
