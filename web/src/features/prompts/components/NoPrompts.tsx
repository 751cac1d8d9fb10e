import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { basePath } from '@/shared/lib/url'
import { buttonClass, CodeBlock, EmptyState } from '@/shared/ui'
import type { Selection } from '../model/browse'
import { firstPromptCode } from '../model/snippet'

type NoPromptsProps = {
  projectId: string
  selection: Selection
  isFiltered: boolean
  mayWrite: boolean
}

/** Where there are no prompts: why, and how to change that. */
export function NoPrompts({ projectId, selection, isFiltered, mayWrite }: NoPromptsProps) {
  const { folder } = selection
  if (isFiltered)
    return (
      <EmptyState icon={<FileText aria-hidden />} title="No prompt matches">
        {selection.search !== undefined && selection.in === 'name'
          ? `No name or tag contains “${selection.search}”. Look in the content instead, or clear the filters.`
          : selection.search !== undefined
            ? `The latest version of no prompt contains “${selection.search}”.`
            : 'Clear a filter to see more.'}
        {folder !== undefined && ' Only this folder was searched.'}
      </EmptyState>
    )
  const action = mayWrite && (
    <Link
      to="/project/$projectId/prompts/new"
      params={{ projectId }}
      search={{ folder }}
      className={buttonClass('primary', 'md')}
    >
      New prompt
    </Link>
  )
  if (folder !== undefined)
    return (
      <EmptyState icon={<FileText aria-hidden />} title="This folder is empty" action={action}>
        Folders come from slashes in names: a prompt called <bdi>{folder}/greeting</bdi> would be
        here.
      </EmptyState>
    )
  return (
    <EmptyState icon={<FileText aria-hidden />} title="No prompts yet" action={action}>
      <p className="pb-3">
        Keep prompts here instead of in code: every change is a version, and applications ask for
        the one that is labelled production.
      </p>
      <div className="text-left">
        <CodeBlock label="Python" code={firstPromptCode(location.origin + basePath)} />
      </div>
    </EmptyState>
  )
}
