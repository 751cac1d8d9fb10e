import { useNavigate, useSearch } from '@tanstack/react-router'
import { FilePlus2, Trash2 } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { Editor } from '@/shared/editor'
import { QueryView } from '@/shared/errors'
import { UnsavedChanges } from '@/shared/forms'
import { findUnsent, keepUnsent } from '@/shared/lib/drafts'
import { GuardedPage } from '@/shared/roles'
import { Button, Callout, IconButton, Section, TextField, toast } from '@/shared/ui'
import { useFilesToEdit, useSaveSkill, useSkill } from './api/useSkills'
import {
  firstFiles,
  isChanged,
  newFile,
  problemsOf,
  requestOf,
  type EditedFile,
  type Skill,
} from './model/files'

/** The editor of a new skill, or of a new version of one. */
export function SkillEditorPage() {
  const { project } = useProject()
  const { name, version } = useSearch({ from: '/_app/project/$projectId/new-skill' })
  const number = Number(version)
  return (
    <GuardedPage
      frame="page"
      title={name ? `New version of ${name}` : 'New skill'}
      description="The name and the description are in the first lines of SKILL.md. A name that exists gets a new version."
      permission="prompts:write"
      doing="write skills"
    >
      {name ? (
        <OfVersion
          key={`${name} ${version}`}
          projectId={project.id}
          skillName={name}
          version={Number.isSafeInteger(number) && number > 0 ? number : undefined}
        />
      ) : (
        <SkillEditor
          projectId={project.id}
          start={firstFiles()}
          keptAs={`${project.id} new skill`}
        />
      )}
    </GuardedPage>
  )
}

type OfVersionProps = { projectId: string; skillName: string; version: number | undefined }

function OfVersion({ projectId, skillName, version }: OfVersionProps) {
  const skill = useSkill(projectId, skillName, version)
  return (
    <QueryView query={skill} what="the skill" skeleton="h-64 w-full">
      {(found) => <WithContents projectId={projectId} skill={found} />}
    </QueryView>
  )
}

function WithContents({ projectId, skill }: { projectId: string; skill: Skill }) {
  const files = useFilesToEdit(projectId, skill.files)
  return (
    <QueryView query={files} what="the files" skeleton="h-64 w-full">
      {(start) => (
        <SkillEditor
          projectId={projectId}
          start={start}
          keptAs={`${projectId} skill ${skill.name} ${skill.version}`}
        />
      )}
    </QueryView>
  )
}

type SkillEditorProps = { projectId: string; start: readonly EditedFile[]; keptAs: string }

type Draft = { files: readonly EditedFile[]; commitMessage: string }

function SkillEditor({ projectId, keptAs, ...props }: SkillEditorProps) {
  const [start] = useState(props.start)
  const [draft, setDraft] = useState(
    () => findUnsent<Draft>(keptAs) ?? { files: start, commitMessage: '' },
  )
  const [wasTried, setTried] = useState(false)
  const save = useSaveSkill(projectId)
  const navigate = useNavigate()
  const { files } = draft
  const change = (next: Partial<Draft>) => {
    setDraft({ ...draft, ...next })
    keepUnsent(keptAs, { ...draft, ...next })
  }
  const problems = useMemo(() => problemsOf(files), [files])
  const isUnsaved = draft.commitMessage !== '' || isChanged(files, start)
  const unsaved = useRef(isUnsaved)
  useEffect(() => {
    unsaved.current = isUnsaved
  }, [isUnsaved])
  // The second click of two comes before the first is seen to be pending, or while the saved version is being opened.
  const isSending = useRef(false)
  const onSave = () => {
    setTried(true)
    if (problems.size > 0 || isSending.current) return
    isSending.current = true
    save.mutate(requestOf(files, draft.commitMessage), {
      onError: () => {
        isSending.current = false
      },
      onSuccess: (saved) => {
        unsaved.current = false
        keepUnsent(keptAs, undefined)
        toast(`Saved as version ${saved.version} of ${saved.name}`)
        void navigate({
          to: '/project/$projectId/skills/$skillName',
          params: { projectId, skillName: saved.name },
          search: { version: String(saved.version) },
        })
      },
    })
  }
  return (
    <div className="flex w-full max-w-5xl min-w-0 flex-col gap-5">
      <UnsavedChanges
        form={{ isUnsaved, hasUnsaved: () => unsaved.current }}
        note="What you have written is here again when you come back, until you close or reload this tab."
      />
      {files.map((file, at) => (
        <Section
          key={file.id}
          title={file.path === '' ? 'New file' : file.path}
          actions={
            <IconButton
              size="sm"
              label={`Remove ${file.path === '' ? 'the new file' : file.path}`}
              icon={<Trash2 aria-hidden />}
              onPress={() => change({ files: files.toSpliced(at, 1) })}
            />
          }
        >
          <TextField
            label="Path"
            value={file.path}
            onChange={(path) => change({ files: files.with(at, { ...file, path }) })}
            maxLength={500}
            autoComplete="off"
            mono
            className="max-w-md"
            error={wasTried ? problems.get(file.id) : undefined}
          />
          <Editor
            label={`Content of ${file.path}`}
            hideLabel
            mode={{ kind: 'text' }}
            value={file.content}
            onChange={(content) => change({ files: files.with(at, { ...file, content }) })}
            minRows={6}
            maxRows={24}
          />
        </Section>
      ))}
      <Button
        size="sm"
        className="self-start"
        icon={<FilePlus2 aria-hidden />}
        onPress={() => change({ files: [...files, newFile('')] })}
      >
        Add a file
      </Button>
      <TextField
        label="What changed"
        value={draft.commitMessage}
        onChange={(commitMessage) => change({ commitMessage })}
        maxLength={500}
        autoComplete="off"
      />
      {wasTried && problems.size > 0 && (
        <Callout tone="danger">{problems.get('') ?? 'Something above is not right yet.'}</Callout>
      )}
      {save.isError && (
        <Callout tone="danger" title="Not saved">
          {messageOf(save.error)}
        </Callout>
      )}
      <Button
        variant="primary"
        className="self-start"
        isPending={save.isPending}
        isDisabled={!isUnsaved}
        onPress={onSave}
      >
        Save version
      </Button>
    </div>
  )
}
