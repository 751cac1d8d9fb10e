import { Link } from '@tanstack/react-router'
import { Copy, Ellipsis, FileText, Play, Square, X } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { Badge, Button, Callout, IconButton, linkClass, Menu } from '@/shared/ui'
import type { Models } from '@/shared/llmModels'
import type { Run } from '../api/useRuns'
import { itemsOfAnswer } from '../model/gather'
import { countOn } from '../model/params'
import type { Pane } from '../model/state'
import { Fold } from './Fold'
import { MessageList } from './MessageList'
import { ModelPicker } from './ModelPicker'
import { ParamsEditor } from './ParamsEditor'
import { RunView } from './RunView'
import { SavePromptDialog } from './SavePromptDialog'
import { SchemaEditor } from './SchemaEditor'
import { ToolsEditor } from './ToolsEditor'
import { OriginalView } from './OriginalView'

export type ChangePane = (change: (pane: Pane) => Pane) => void

type PaneViewProps = {
  projectId: string
  letter: string
  models: Models
  pane: Pane
  variables: readonly string[]
  /** Why it cannot be run. */
  problem: string | undefined
  runs: readonly Run[]
  isRunning: boolean
  isOnly: boolean
  onChange: ChangePane
  onRun: () => void
  onRunWith: (changed: Pane) => void
  onStop: (runId?: string) => void
  onCopy: (() => void) | undefined
  onRemove: () => void
}

/** A window: a model, what it is sent, and what it answers. */
export function PaneView(props: PaneViewProps) {
  const { projectId, letter, models, pane, problem, runs, onChange } = props
  const { can } = useProject()
  const [isSaving, setIsSaving] = useState(false)
  const connection = models.connections.find((each) => each.connection === pane.connection)
  const count = countOn(pane.params)
  return (
    <section
      aria-label={`Window ${letter}`}
      className="flex min-w-0 flex-1 flex-col gap-3 rounded-lg border border-border bg-surface-0 p-3 md:min-w-100"
    >
      <div className="flex min-w-0 items-center gap-2">
        <h2 className="flex size-6 shrink-0 items-center justify-center rounded-md bg-surface-2 text-sm font-medium">
          {letter}
        </h2>
        {pane.prompt && (
          <Badge>
            <Link
              to="/project/$projectId/prompts/$promptName"
              params={{ projectId, promptName: pane.prompt.name }}
              search={{ version: String(pane.prompt.version) }}
              className={`${linkClass} block max-w-40 truncate`}
            >
              {pane.prompt.name} v{pane.prompt.version}
            </Link>
          </Badge>
        )}
        <span className="ml-auto flex items-center gap-1">
          {can('prompts:write') && (
            <Button size="sm" icon={<FileText aria-hidden />} onPress={() => setIsSaving(true)}>
              Save as prompt
            </Button>
          )}
          {props.isRunning ? (
            <Button size="sm" icon={<Square aria-hidden />} onPress={() => props.onStop()}>
              Stop {letter}
            </Button>
          ) : (
            <Button size="sm" icon={<Play aria-hidden />} onPress={props.onRun}>
              Run {letter}
            </Button>
          )}
          <Menu
            label={`Window ${letter}`}
            placement="bottom end"
            trigger={
              <IconButton
                size="sm"
                label={`More actions for window ${letter}`}
                icon={<Ellipsis aria-hidden />}
              />
            }
            actions={[
              {
                id: 'copy',
                label: 'Duplicate',
                icon: <Copy aria-hidden />,
                isDisabled: props.onCopy === undefined,
                onAction: () => props.onCopy?.(),
              },
              {
                id: 'remove',
                label: 'Close window',
                icon: <X aria-hidden />,
                isDisabled: props.isOnly,
                onAction: props.onRemove,
              },
            ]}
          />
        </span>
      </div>
      <ModelPicker models={models} pane={pane} onChange={onChange} />
      <Fold label="Parameters" summary={count === 0 ? 'Defaults of the model' : `${count} set`}>
        <ParamsEditor params={pane.params} ranges={connection?.ranges} onChange={onChange} />
      </Fold>
      <MessageList pane={pane} variables={props.variables} onChange={onChange} />
      <Fold label="Tools" summary={pane.tools.length === 0 ? 'None' : `${pane.tools.length}`}>
        <ToolsEditor projectId={projectId} pane={pane} onChange={onChange} />
      </Fold>
      <Fold label="Structured answer" summary={pane.schema ? pane.schema.name || 'Schema' : 'Off'}>
        <SchemaEditor projectId={projectId} pane={pane} onChange={onChange} />
      </Fold>
      {problem !== undefined && <Callout tone="danger">{problem}</Callout>}
      {pane.original && <OriginalView projectId={projectId} original={pane.original} />}
      {runs.map((run, index) => (
        <RunView
          key={run.id}
          projectId={projectId}
          label={runs.length > 1 ? `Answer ${index + 1} of ${letter}` : `Answer of ${letter}`}
          run={run}
          original={pane.original}
          onStop={() => props.onStop(run.id)}
          onRetry={props.onRun}
          onTake={() =>
            onChange((before) => ({
              ...before,
              items: [...before.items, ...itemsOfAnswer(run.answer, before.tools)],
            }))
          }
          onContinue={
            run.answer.calls.length > 0
              ? () =>
                  props.onRunWith({
                    ...pane,
                    items: [...pane.items, ...itemsOfAnswer(run.answer, pane.tools)],
                  })
              : undefined
          }
        />
      ))}
      <SavePromptDialog
        projectId={projectId}
        pane={pane}
        isOpen={isSaving}
        onClose={() => setIsSaving(false)}
        onSaved={(prompt) => onChange((before) => ({ ...before, prompt }))}
      />
    </section>
  )
}
