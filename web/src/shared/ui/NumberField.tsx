import { Minus, Plus } from 'lucide-react'
import {
  Button,
  Group,
  Input,
  NumberField as AriaNumberField,
  type NumberFieldProps as AriaNumberFieldProps,
} from 'react-aria-components'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { FieldParts } from './FieldParts'
import { inputClass } from './fieldClass'

type NumberFieldProps = Omit<AriaNumberFieldProps, 'className' | 'children' | 'style'> & {
  label: ReactNode
  description?: ReactNode
  error?: string
  className?: string
}

/** A number with buttons for one step more or less; the arrow keys do the same. Empty is NaN. */
export function NumberField(props: NumberFieldProps) {
  const { label, description, error, className, ...rest } = props
  return (
    <AriaNumberField
      {...rest}
      validationBehavior="aria"
      isInvalid={error !== undefined || rest.isInvalid}
      className={cx('flex flex-col gap-1', className)}
    >
      <FieldParts label={label} description={description} error={error}>
        <Group className="flex items-center">
          <Input className={cx(inputClass, 'tabular rounded-r-none')} />
          <Button slot="decrement" className={step}>
            <Minus aria-hidden />
          </Button>
          <Button slot="increment" className={cx(step, 'rounded-r-md')}>
            <Plus aria-hidden />
          </Button>
        </Group>
      </FieldParts>
    </AriaNumberField>
  )
}

const step =
  'flex size-8 shrink-0 items-center justify-center border border-l-0 border-control text-text-3 hover:bg-surface-2 ' +
  'hover:text-text-1 data-disabled:opacity-40 [&_svg]:size-4'
