import { grantableRoles, type Role } from '@/features/roles'
import { Select } from '@/ui'

type RoleSelectProps = {
  label: string
  /** The person's own role: nobody gives a role above it. */
  own: Role
  value: Role
  onChange: (role: Role) => void
  isDisabled?: boolean
  hideLabel?: boolean
}

/** Chooses a role among those that one may give. */
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
      // In a row of a table it is as high as the smallest row allows.
      className={hideLabel ? 'w-32 [&_button]:h-6' : undefined}
    />
  )
}
