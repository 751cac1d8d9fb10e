import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { messageOf, type UiComponents } from '@/shared/api'
import {
  Badge,
  Button,
  Callout,
  Checkbox,
  Dialog,
  DialogActions,
  FileDrop,
  linkClass,
  SegmentedControl,
  type Tone,
} from '@/shared/ui'
import { useImportPrompts } from '../api/changes'
import { maxFileBytes, readEntries, type Entries, type ImportOptions } from '../model/files'

type ImportDialogProps = { projectId: string; isOpen: boolean; onClose: () => void }

/** Imports a file: says first what would become of each entry. */
export function ImportDialog({ projectId, isOpen, onClose }: ImportDialogProps) {
  return (
    <Dialog title="Import prompts" size="lg" isOpen={isOpen} onClose={onClose}>
      {isOpen && <Steps projectId={projectId} onClose={onClose} />}
    </Dialog>
  )
}

type Result = UiComponents['schemas']['ImportedPrompt']

type File = { name: string } & Entries

function Steps({ projectId, onClose }: Omit<ImportDialogProps, 'isOpen'>) {
  const [file, setFile] = useState<File>()
  const [options, setOptions] = useState<ImportOptions>({ onExists: 'version', labels: 'drop' })
  const preview = useImportPrompts(projectId)
  const run = useImportPrompts(projectId)
  const look = (entries: readonly string[] | undefined, next: ImportOptions) => {
    if (entries) preview.mutate({ entries, options: next, isDryRun: true })
  }
  const choose = (next: ImportOptions) => {
    setOptions(next)
    look(file?.entries, next)
  }
  const take = (name: string, text: string) => {
    const read = readEntries(text)
    setFile({ name, ...read })
    preview.reset()
    look(read.entries, options)
  }
  if (run.data)
    return (
      <div className="flex flex-col gap-3">
        <Results projectId={projectId} results={run.data.results} isDryRun={false} />
        <DialogActions>
          <Button variant="primary" onPress={onClose} autoFocus>
            Done
          </Button>
        </DialogActions>
      </div>
    )
  const entries = file?.entries
  const willCreate = preview.data?.results.filter(({ outcome }) => outcome === 'created').length
  return (
    <div className="flex flex-col gap-4">
      <FileDrop
        label={file ? file.name : 'Drop a file with prompts'}
        description="A JSON list as Export makes it, here or in Langfuse: up to 500 versions and 15 MB."
        accepts={['.json']}
        maxBytes={maxFileBytes}
        onFile={(dropped) =>
          void dropped.text().then(
            (text) => take(dropped.name, text),
            () => setFile({ name: dropped.name, problem: 'The file could not be read.' }),
          )
        }
        error={file?.problem}
      />
      {entries && (
        <>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
            <span className="flex items-center gap-2">
              <span className="text-sm text-text-2">Prompts that exist</span>
              <SegmentedControl
                label="Prompts that exist"
                options={[
                  { id: 'version', label: 'get new versions' },
                  { id: 'skip', label: 'are skipped' },
                ]}
                value={options.onExists}
                onChange={(onExists) => choose({ ...options, onExists })}
              />
            </span>
            <Checkbox
              isSelected={options.labels === 'keep'}
              onChange={(keeps) => choose({ ...options, labels: keeps ? 'keep' : 'drop' })}
            >
              Set the labels of the file, production too
            </Checkbox>
          </div>
          {preview.isPending ? (
            <p role="status" className="text-text-3">
              Checking {entries.length} {entries.length === 1 ? 'version' : 'versions'}…
            </p>
          ) : preview.isError ? (
            <Callout tone="danger" title="The file cannot be imported">
              {messageOf(preview.error)}
            </Callout>
          ) : (
            preview.data && (
              <Results projectId={projectId} results={preview.data.results} isDryRun />
            )
          )}
          {run.isError && <Callout tone="danger">{messageOf(run.error)}</Callout>}
        </>
      )}
      <DialogActions>
        <Button onPress={onClose} isDisabled={run.isPending}>
          Cancel
        </Button>
        <Button
          variant="primary"
          isDisabled={preview.isPending || willCreate === undefined || willCreate === 0}
          isPending={run.isPending}
          onPress={() => entries && run.mutate({ entries, options, isDryRun: false })}
        >
          {willCreate === undefined
            ? 'Import'
            : `Import ${willCreate} ${willCreate === 1 ? 'version' : 'versions'}`}
        </Button>
      </DialogActions>
    </div>
  )
}

const outcomes: Record<Result['outcome'], { done: string; planned: string; tone: Tone }> = {
  created: { done: 'created', planned: 'new', tone: 'success' },
  unchanged: { done: 'unchanged', planned: 'unchanged', tone: 'neutral' },
  skipped: { done: 'skipped', planned: 'is skipped', tone: 'neutral' },
  failed: { done: 'failed', planned: 'cannot be stored', tone: 'danger' },
}

type ResultsProps = { projectId: string; results: readonly Result[]; isDryRun: boolean }

/** What became, or would become, of each entry. */
function Results({ projectId, results, isDryRun }: ResultsProps) {
  return (
    <ul
      aria-label={isDryRun ? 'What would be imported' : 'What was imported'}
      // A region that scrolls has to be reachable by keyboard.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="flex max-h-80 flex-col overflow-y-auto rounded-md border border-border"
    >
      {results.map(({ index, name, outcome, version, message }) => {
        const { done, planned, tone } = outcomes[outcome]
        return (
          <li
            key={index}
            className="flex min-w-0 flex-col gap-0.5 border-b border-border px-3 py-1.5 last:border-b-0"
          >
            <span className="flex min-w-0 items-center gap-2">
              {isDryRun || version === null ? (
                <span className="min-w-0 truncate">{name}</span>
              ) : (
                <Link
                  to="/project/$projectId/prompts/$promptName"
                  params={{ projectId, promptName: name }}
                  search={{ version: String(version) }}
                  className={`${linkClass} min-w-0 truncate`}
                >
                  {name}
                </Link>
              )}
              {version !== null && <span className="tabular text-sm text-text-3">v{version}</span>}
              <span className="ml-auto shrink-0">
                <Badge tone={tone}>{isDryRun ? planned : done}</Badge>
              </span>
            </span>
            {message !== null && <span className="text-sm text-danger">{message}</span>}
          </li>
        )
      })}
    </ul>
  )
}
