import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { messageOf } from '@/shared/api'
import { Editor } from '@/shared/editor'
import { UnsavedChanges } from '@/shared/forms'
import { findUnsent, keepUnsent } from '@/shared/lib/drafts'
import {
  namesIn,
  PromptContent,
  TagsField,
  usePromptLabels,
  type PromptBody,
} from '@/shared/prompts'
import { Button, Callout, Section, SegmentedControl, TextField, toast } from '@/shared/ui'
import {
  useNameCheck,
  textsOf,
  useReferences,
  useReferenceSource,
  useSaveVersion,
  type Stale,
} from '../api/useEditing'
import {
  bodyOf,
  hasProblem,
  isChanged,
  isSameBody,
  maxMessage,
  problemsOf,
  type Draft,
} from '../model/draft'
import { insertReferences } from '../model/insertReferences'
import { unresolvedIn } from '../model/unresolved'
import { KeptCallout } from './KeptCallout'
import { LabelsField } from './LabelsField'
import { MessagesEditor } from './MessagesEditor'
import { NameField } from './NameField'
import { NamesInDraft } from './NamesInDraft'
import { ReviewDialog } from './ReviewDialog'
import { StaleDialog } from './StaleDialog'
import { useRestedText } from './useRestedText'

/** The version that a new one is made from, and what is known of its prompt. */
export type Base = {
  version: number
  body: PromptBody
  newest: number
  labels: Readonly<Record<string, number>>
}

type PromptEditorProps = {
  projectId: string
  start: Draft
  base: Base | undefined
  /** The name under which the draft is kept. */
  keptAs: string
  mayMoveProtected: boolean
  /** Whether the label production is given at first, if it may be. */
  startsInProduction?: boolean
}

/** Waits for the labels: which of them a draft begins with depends on those that are protected. */
export function PromptEditor(props: PromptEditorProps) {
  const labels = usePromptLabels(props.projectId)
  if (labels.isPending) return <p className="text-text-3">Loading…</p>
  const isProtected = labels.data?.protected.includes('production') ?? false
  const isGiven = props.startsInProduction === true && (!isProtected || props.mayMoveProtected)
  return (
    <EditorForm
      {...props}
      start={isGiven ? { ...props.start, labels: ['production'] } : props.start}
      known={labels.data?.labels.map(({ label }) => label) ?? []}
      protectedLabels={labels.data?.protected ?? []}
    />
  )
}

type EditorFormProps = PromptEditorProps & {
  known: readonly string[]
  protectedLabels: readonly string[]
}

function EditorForm(props: EditorFormProps) {
  const { projectId, base, keptAs } = props
  // What the server says meanwhile does not change what is being edited.
  const [start, setStart] = useState(props.start)
  const [kept] = useState(() => findUnsent<Draft>(keptAs))
  const [draft, setDraft] = useState(kept ?? start)
  const [wasTried, setTried] = useState(false)
  const [isReviewing, setReviewing] = useState(false)
  const [isUnchanged, setUnchanged] = useState(false)
  const [stale, setStale] = useState<Stale>()
  const [aside, setAside] = useState<Draft>()
  const [isPreview, setPreview] = useState(false)
  const [isRestored, setRestored] = useState(kept !== undefined)
  const navigate = useNavigate()
  const save = useSaveVersion(projectId)
  const source = useReferenceSource(projectId)
  const isNew = base === undefined
  const settled = useDeferredValue(draft)
  const name = useDeferredValue(useRestedText(draft.name))
  const check = useNameCheck(projectId, name, isNew)
  const body = useMemo(() => bodyOf(settled), [settled])
  const names = useMemo(() => namesIn(body), [body])
  const found = useReferences(projectId, settled.name, names.references)
  const problems = useMemo(() => problemsOf(settled), [settled])
  const shown = wasTried ? problems : undefined

  const isUnsaved = useMemo(() => isChanged(draft, start), [draft, start])
  const unsaved = useRef(isUnsaved)
  useEffect(() => {
    unsaved.current = isUnsaved
  }, [isUnsaved])

  const change = (next: Partial<Draft>) => {
    const changed = { ...draft, ...next }
    setDraft(changed)
    keepUnsent(keptAs, changed)
    setUnchanged(false)
  }
  const replace = (next: Draft) => {
    setDraft(next)
    keepUnsent(keptAs, next)
  }
  // The second click of two comes before the first is seen to be pending, or while the saved version is being opened.
  const isSending = useRef(false)
  const send = (sent: Draft, evenIfUnchanged = false) => {
    if (isSending.current) return
    isSending.current = true
    save.mutate(
      { draft: sent, evenIfUnchanged },
      {
        onSettled: (result) => {
          isSending.current = result?.kind === 'saved'
        },
        onSuccess: (result) => {
          if (result.kind === 'stale') {
            setReviewing(false)
            setStale(result)
            return
          }
          if (result.kind === 'unchanged') {
            setReviewing(false)
            setStale(undefined)
            setUnchanged(true)
            return
          }
          unsaved.current = false
          keepUnsent(keptAs, undefined)
          setStart(sent)
          toast(sent.base === null ? 'Prompt created' : `Saved as version ${result.version}`)
          void navigate({
            to: '/project/$projectId/prompts/$promptName',
            params: { projectId, promptName: result.name },
            search: { version: String(result.version) },
          })
        },
      },
    )
  }
  const isTaken = isNew && check.data?.exists === true && draft.base === null
  const isBadName = isNew && check.data?.valid === false
  const onSave = () => {
    setTried(true)
    save.reset()
    if (hasProblem(problemsOf(draft)) || isTaken || isBadName) return
    if (isNew) {
      send(draft)
      return
    }
    if (isSameBody(bodyOf(draft), base.body) && base.version === base.newest) {
      setUnchanged(true)
      return
    }
    setReviewing(true)
  }
  const { texts, refused } = useMemo(() => textsOf(found), [found])
  const unresolved = useMemo(() => unresolvedIn(draft.text, refused), [draft.text, refused])

  return (
    <div className="flex w-full max-w-5xl min-w-0 flex-col gap-5">
      <UnsavedChanges
        form={{ isUnsaved, hasUnsaved: () => unsaved.current }}
        note="What you have written is here again when you come back, until you close or reload this tab."
      />
      {isRestored && isUnsaved && (
        <KeptCallout
          title="Your draft is here again"
          action="Discard it"
          onPress={() => {
            setDraft(start)
            keepUnsent(keptAs, undefined)
            setRestored(false)
          }}
        >
          You had not saved it.
        </KeptCallout>
      )}
      {aside && (
        <KeptCallout
          title="You took theirs"
          action="Back to mine"
          onPress={() => {
            replace(aside)
            setAside(undefined)
          }}
        >
          What you had written is kept until you save.
        </KeptCallout>
      )}
      {isNew && (
        <NameField
          projectId={projectId}
          value={draft.name}
          onChange={(next) => change({ name: next })}
          check={check.data}
          problem={shown?.name}
        />
      )}
      <Section
        title="Prompt"
        actions={
          <div className="flex flex-wrap items-center gap-2">
            {isNew && (
              <SegmentedControl
                label="Type"
                options={[
                  { id: 'text', label: 'Text' },
                  { id: 'chat', label: 'Chat' },
                ]}
                value={draft.type}
                onChange={(type) => change({ type })}
              />
            )}
            <SegmentedControl
              label="View"
              options={[
                { id: 'write', label: 'Write' },
                { id: 'preview', label: 'Preview' },
              ]}
              value={isPreview ? 'preview' : 'write'}
              onChange={(view) => setPreview(view === 'preview')}
            />
          </div>
        }
      >
        {isPreview ? (
          <PromptContent body={insertReferences(body, texts)} />
        ) : draft.type === 'text' ? (
          <Editor
            label="Text"
            hideLabel
            mode={{ kind: 'template' }}
            references={source}
            problems={unresolved}
            value={draft.text}
            onChange={(text) => change({ text })}
            minRows={10}
            maxRows={30}
          />
        ) : (
          <MessagesEditor
            items={draft.items}
            variables={names.variables}
            references={source}
            refused={refused}
            problems={shown?.items}
            onChange={(items) => change({ items })}
          />
        )}
        <NamesInDraft projectId={projectId} names={names} found={found} />
      </Section>
      <Section
        title="Config"
        description="JSON that applications get with the prompt, such as the model and its parameters."
      >
        <Editor
          label="Config"
          hideLabel
          mode={{ kind: 'json' }}
          value={draft.config}
          onChange={(config) => change({ config })}
          error={shown?.config}
          minRows={4}
          maxRows={20}
        />
      </Section>
      <Section
        title="Labels and tags"
        description="Applications ask for the version with a label. Tags belong to all versions and help to find the prompt."
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <LabelsField
            value={draft.labels}
            onChange={(labels) => change({ labels })}
            known={props.known}
            current={base?.labels ?? {}}
            protectedLabels={props.mayMoveProtected ? [] : props.protectedLabels}
          />
          <TagsField value={draft.tags} onChange={(tags) => change({ tags })} />
        </div>
      </Section>
      <TextField
        label="What changed"
        description="Shown beside the version."
        value={draft.commitMessage}
        onChange={(commitMessage) => change({ commitMessage })}
        maxLength={maxMessage}
        autoComplete="off"
        error={shown?.commitMessage}
      />
      {isUnchanged && (
        <Callout
          tone="warning"
          title="Nothing was saved"
          action={
            <Button size="sm" isPending={save.isPending} onPress={() => send(draft, true)}>
              Save it all the same
            </Button>
          }
        >
          Prompt and config are exactly those of the newest version. Labels and tags can be changed
          without a new version.
        </Callout>
      )}
      {wasTried && (hasProblem(problems) || isTaken || isBadName) && (
        <Callout tone="danger">Something above is not right yet.</Callout>
      )}
      {save.isError && !isReviewing && !stale && (
        <Callout tone="danger" title="Not saved">
          {messageOf(save.error)}
        </Callout>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          onPress={onSave}
          isPending={save.isPending && !isReviewing && !stale}
        >
          {isNew ? 'Create prompt' : 'Review and save'}
        </Button>
        {!isNew && (
          <span className="text-sm text-text-3">
            From version {base.version}
            {base.version < base.newest && `, the newest is ${base.newest}`}
          </span>
        )}
      </div>
      {base && (
        <ReviewDialog
          isOpen={isReviewing}
          draft={draft}
          base={base}
          isPending={save.isPending}
          error={save.error}
          onSave={() => send(draft)}
          onClose={() => {
            setReviewing(false)
            save.reset()
          }}
        />
      )}
      <StaleDialog
        projectId={projectId}
        stale={stale}
        draft={draft}
        isPending={save.isPending}
        error={save.error}
        onSave={(onto) => send({ ...draft, base: onto })}
        onTake={(theirs) => {
          setAside(draft)
          replace({ ...draft, ...theirs })
          setStale(undefined)
        }}
        onClose={() => {
          setStale(undefined)
          save.reset()
        }}
      />
    </div>
  )
}
