import { useState } from 'react'
import { LoadError } from '@/shared/errors'
import { usePromptVersions } from '@/shared/prompts'
import { ComboBox, MultiSelect, Skeleton } from '@/shared/ui'
import { usePromptNames } from '../api/useRuns'

type PromptFieldsProps = {
  projectId: string
  prompt: string
  versions: string[]
  promptError: string | undefined
  versionsError: string | undefined
  onChange: (change: { prompt?: string; versions?: string[] }) => void
}

/** A prompt, and the versions of it that are run. */
export function PromptFields(props: PromptFieldsProps) {
  const { projectId, prompt, versions, promptError, versionsError, onChange } = props
  const [typed, setTyped] = useState(prompt)
  const name = typed.trim()
  const listed = usePromptNames(projectId, '', true)
  // Of a project with many prompts, the list has only some.
  const isKnown = listed.data?.names.includes(name) === true
  const found = usePromptNames(
    projectId,
    name,
    listed.data?.isWhole === false && name !== '' && !isKnown,
  )
  const isFound = isKnown || found.data?.names.includes(name) === true
  if (listed.isError && !listed.data)
    return <LoadError title="Couldn’t load the prompts" query={listed} />
  if (!listed.data) return <Skeleton className="h-14 w-full" />
  return (
    <>
      <ComboBox
        label="Prompt"
        options={listed.data.names.map((each) => ({ id: each, label: each }))}
        inputValue={typed}
        onInputChange={(text) => {
          setTyped(text)
          if (text.trim() !== prompt) onChange({ prompt: text.trim(), versions: [] })
        }}
        allowsCustom
        error={promptError}
      />
      {isFound && (
        <Versions
          key={name}
          projectId={projectId}
          prompt={name}
          versions={versions}
          error={versionsError}
          onChange={(next) => onChange({ versions: next })}
        />
      )}
    </>
  )
}

type VersionsProps = {
  projectId: string
  prompt: string
  versions: string[]
  error: string | undefined
  onChange: (versions: string[]) => void
}

/** The newest hundred versions, with their labels. */
function Versions({ projectId, prompt, versions, error, onChange }: VersionsProps) {
  const query = usePromptVersions(projectId, prompt)
  const rows = query.data?.pages[0]?.versions
  if (query.isError && !rows) return <LoadError title="Couldn’t load the versions" query={query} />
  if (!rows) return <Skeleton className="h-8 w-full" />
  return (
    <MultiSelect
      label="Versions"
      options={rows.map(({ version, labels }) => ({
        id: String(version),
        label: labels.length === 0 ? `v${version}` : `v${version} (${labels.join(', ')})`,
      }))}
      value={versions}
      onChange={onChange}
      error={error}
    />
  )
}
