import { Link } from '@tanstack/react-router'
import type { PromptDependent } from '@/shared/prompts'
import { linkClass } from '@/shared/ui'

const shownAtFirst = 20

type DependentsProps = { projectId: string; dependents: readonly PromptDependent[] }

/** The versions of other prompts that refer to a prompt, as links. */
export function Dependents({ projectId, dependents }: DependentsProps) {
  const hidden = dependents.length - shownAtFirst
  return (
    <ul aria-label="Prompts that refer to it" className="flex list-disc flex-col gap-0.5 pl-5">
      {dependents.slice(0, shownAtFirst).map(({ name, version, by }) => (
        <li key={`${version} ${by.version} ${by.label} ${name}`} className="break-words">
          <Link
            to="/project/$projectId/prompts/$promptName"
            params={{ projectId, promptName: name }}
            search={{ version: String(version) }}
            className={linkClass}
          >
            {name} v{version}
          </Link>{' '}
          <span className="text-text-3">
            {by.version === undefined ? `by the label ${by.label}` : `by version ${by.version}`}
          </span>
        </li>
      ))}
      {hidden > 0 && <li>and {hidden} more</li>}
    </ul>
  )
}
