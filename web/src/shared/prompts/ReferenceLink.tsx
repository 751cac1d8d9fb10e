import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useProject } from '@/shared/currentUser'
import type { PromptReference } from './model/marks'

type ReferenceLinkProps = { reference: PromptReference; children: ReactNode }

/** Leads to the prompt that is inserted. */
export function ReferenceLink({ reference, children }: ReferenceLinkProps) {
  const { project } = useProject()
  return (
    <Link
      to="/project/$projectId/prompts/$promptName"
      params={{ projectId: project.id, promptName: reference.name }}
      search={
        'version' in reference ? { version: String(reference.version) } : { label: reference.label }
      }
      className="rounded-xs bg-success-soft text-success underline decoration-dotted underline-offset-2 hover:decoration-solid"
    >
      {children}
    </Link>
  )
}
