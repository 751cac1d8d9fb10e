import { Eye, EyeOff } from 'lucide-react'
import { Input, TextField as AriaTextField, ToggleButton } from 'react-aria-components'
import { useState } from 'react'
import { cx } from '@/shared/lib/cx'
import { FieldParts } from './FieldParts'
import { inputClass } from './fieldClass'
import type { TextFieldProps } from './TextField'

/** A password, hidden until the person wants to see it. */
export function PasswordField({
  label,
  description,
  error,
  className,
  ...props
}: Omit<TextFieldProps, 'rows' | 'mono' | 'placeholder' | 'type'>) {
  const [isShown, setShown] = useState(false)
  return (
    <AriaTextField
      {...props}
      // Forms show their own errors. The browser's messages would appear when the field loses focus, move the button
      // that is being pressed, and swallow the press.
      validationBehavior="aria"
      type={isShown ? 'text' : 'password'}
      isInvalid={error !== undefined || props.isInvalid}
      className={cx('flex flex-col gap-1', className)}
    >
      <FieldParts label={label} description={description} error={error}>
        <div className="relative">
          <Input className={cx(inputClass, 'pr-9')} spellCheck={false} />
          <ToggleButton
            isSelected={isShown}
            onChange={setShown}
            aria-label="Show password"
            className="absolute inset-y-0 right-0 flex w-8 items-center justify-center rounded-md text-text-3 hover:text-text-1 [&_svg]:size-4"
          >
            {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
          </ToggleButton>
        </div>
      </FieldParts>
    </AriaTextField>
  )
}
