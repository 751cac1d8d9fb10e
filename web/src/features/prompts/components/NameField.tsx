import { Link } from '@tanstack/react-router'
import type { UiComponents } from '@/shared/api'
import { linkClass, TextField } from '@/shared/ui'

type NameFieldProps = {
  projectId: string
  value: string
  onChange: (name: string) => void
  check: UiComponents['schemas']['PromptNameCheck'] | undefined
  problem: string | undefined
}

/** The name of a new prompt. Whether it can be used is said while it is typed. */
export function NameField({ projectId, value, onChange, check, problem }: NameFieldProps) {
  const name = value.trim()
  const error =
    problem ?? (name === '' || check?.valid !== false ? undefined : (check.problem ?? undefined))
  return (
    <div className="flex max-w-xl flex-col gap-1">
      <TextField
        label="Name"
        value={value}
        onChange={onChange}
        maxLength={1000}
        autoFocus
        autoComplete="off"
        mono
        description="Slashes make folders: support/greeting is greeting in the folder support."
        error={error}
      />
      <p role="status" className="text-sm">
        {name !== '' && check?.exists === true && (
          <span className="text-danger">
            There is a prompt with this name, with {check.newest ?? 1}{' '}
            {check.newest === 1 ? 'version' : 'versions'}.{' '}
            <Link
              to="/project/$projectId/prompts/new"
              params={{ projectId }}
              search={{ name }}
              className={linkClass}
            >
              Create a version of it instead
            </Link>
          </span>
        )}
        {name !== '' && check?.exists === false && check.inFolder > 0 && (
          <span className="text-text-3">
            There is a folder of this name, with {check.inFolder}{' '}
            {check.inFolder === 1 ? 'prompt' : 'prompts'}.
          </span>
        )}
      </p>
    </div>
  )
}
