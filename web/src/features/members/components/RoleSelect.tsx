import { grantableRoles, type Role } from '@/shared/roles'
import { Select } from '@/shared/ui'

type RoleSelectProps = {
  label: string
  /** The user's own role: nobody may give a higher one. */
  own: Role
  value: Role
  onChange: (role: Role) => void
  isDisabled?: boolean
  hideLabel?: boolean
}

/** Selects one of the roles that the user may give. */
export function RoleSelect({
  label,
  own,
  value,
  onChange,
  isDisabled,
  hideLabel,
}: RoleSelectProps) {
  return (
    <Select
      label={label}
      hideLabel={hideLabel}
      options={grantableRoles(own)}
      value={value}
      onChange={onChange}
      isDisabled={isDisabled}
      // In a table row it fits the smallest row height.
      className={hideLabel ? 'w-32 [&_button]:h-6' : undefined}
    />
  )
}
