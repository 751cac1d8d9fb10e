import { Tag } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { authorName, type PromptVersion, type PromptVersionsPage } from '@/shared/prompts'
import { Button, Time } from '@/shared/ui'
import { LabelBadges } from './LabelBadges'
import { LabelsDialog } from './LabelsDialog'

type VersionHeaderProps = { projectId: string; prompt: PromptVersion; head: PromptVersionsPage }

/** The number of a version, its labels, who saved it when, and why. */
export function VersionHeader({ projectId, prompt, head }: VersionHeaderProps) {
  const { can } = useProject()
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <h2 className="tabular text-lg font-medium">Version {prompt.version}</h2>
        <LabelBadges labels={prompt.labels} protectedLabels={head.protectedLabels} />
        {can('prompts:write') && (
          <Button size="sm" icon={<Tag aria-hidden />} onPress={() => setOpen(true)}>
            Labels
          </Button>
        )}
        <span className="ml-auto text-sm text-text-3">
          {authorName(prompt.createdBy)} · <Time at={prompt.createdAt} />
        </span>
      </div>
      {prompt.commitMessage !== null && prompt.commitMessage !== '' && (
        <p className="break-words text-text-2">{prompt.commitMessage}</p>
      )}
      <LabelsDialog
        projectId={projectId}
        prompt={prompt}
        head={head}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </header>
  )
}
