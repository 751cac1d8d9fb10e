import type { ReactNode } from 'react'

/** An option of a Select, a ComboBox or a group of buttons. */
export type Option<K extends string = string> = {
  id: K
  label: string
  description?: string
  icon?: ReactNode
  isDisabled?: boolean
}
