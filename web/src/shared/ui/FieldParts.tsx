import { FieldError, Label, Text } from 'react-aria-components'
import type { ReactNode } from 'react'

type FieldPartsProps = {
  label: ReactNode
  description?: ReactNode
  error?: string
  isRequired?: boolean
  children: ReactNode
}

/** Label, control, description and error, the same in every field. */
export function FieldParts({ label, description, error, isRequired, children }: FieldPartsProps) {
  return (
    <>
      <Label className="text-sm font-medium text-text-2">
        {label}
        {isRequired === false && <span className="font-normal text-text-3"> (optional)</span>}
      </Label>
      {children}
      {description !== undefined && (
        <Text slot="description" className="text-sm text-text-3">
          {description}
        </Text>
      )}
      <FieldError className="text-sm text-danger">{error}</FieldError>
    </>
  )
}
