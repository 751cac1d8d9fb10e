import { Checkbox } from '@/shared/ui'
import { permissionGroups, type KeyPermission } from '../model/permissions'

type PermissionPickerProps = {
  value: KeyPermission[]
  onChange: (value: KeyPermission[]) => void
  error?: string
}

/** Checkboxes for the permissions of a key. */
export function PermissionPicker({ value, onChange, error }: PermissionPickerProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-sm font-medium text-text-2">Permissions</legend>
      {permissionGroups.map((group) => (
        <div
          key={group.subject}
          role="group"
          aria-label={group.subject}
          className="flex flex-wrap gap-x-4 gap-y-1"
        >
          <span aria-hidden className="w-20 text-text-3">
            {group.subject}
          </span>
          {group.permissions.map((permission) => (
            <Checkbox
              key={permission.id}
              isSelected={value.includes(permission.id)}
              onChange={(isOn) =>
                onChange(
                  isOn ? [...value, permission.id] : value.filter((id) => id !== permission.id),
                )
              }
            >
              {permission.label}
            </Checkbox>
          ))}
        </div>
      ))}
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}
