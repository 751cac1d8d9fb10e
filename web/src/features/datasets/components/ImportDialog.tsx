import { useState } from 'react'
import { countOf } from '@/shared/lib/format'
import { newId } from '@/shared/lib/newId'
import { Button, Dialog, DialogActions, FileDrop, SegmentedControl } from '@/shared/ui'
import { useImportRun } from '../api/useImportRun'
import { guessTargets, mappingOf, mappingProblem, withTarget, type Target } from '../model/mapping'
import { openFile, type OpenedFile } from '../model/openFile'
import type { Import } from '../model/importRun'
import { importEndings, maxImportBytes } from '../model/readFile'
import { ImportMapping } from './ImportMapping'
import { ImportPreview } from './ImportPreview'
import { ImportReport } from './ImportReport'

type ImportDialogProps = {
  projectId: string
  datasetId: string
  isOpen: boolean
  onClose: () => void
}

/** Imports a file into a dataset: its columns are mapped, the file is checked, and then its items are written. */
export function ImportDialog({ projectId, datasetId, isOpen, onClose }: ImportDialogProps) {
  const run = useImportRun(projectId, datasetId)
  const isRunning = run.state?.status === 'running'
  const close = () => {
    run.reset()
    onClose()
  }
  return (
    <Dialog
      title="Import items"
      size="lg"
      isOpen={isOpen}
      isDismissable={!isRunning}
      onClose={close}
    >
      {isOpen && <Steps projectId={projectId} datasetId={datasetId} run={run} onClose={close} />}
    </Dialog>
  )
}

type Chosen = { key: string; file: File } & OpenedFile

type StepsProps = {
  projectId: string
  datasetId: string
  run: ReturnType<typeof useImportRun>
  onClose: () => void
}

function Steps({ projectId, datasetId, run, onClose }: StepsProps) {
  const [chosen, setChosen] = useState<Chosen>()
  const [problem, setProblem] = useState<string>()
  const [targets, setTargets] = useState<Record<string, Target>>({})
  const [cells, setCells] = useState<Import['cells']>('json')
  const take = (file: File) => {
    run.reset()
    void openFile(file).then((opened) => {
      setProblem('problem' in opened ? opened.problem : undefined)
      if ('problem' in opened) setChosen(undefined)
      else {
        setChosen({ key: newId(), file, ...opened })
        setTargets(guessTargets(opened.columns.map(({ name }) => name)))
      }
    })
  }
  const { state } = run
  const isRunning = state?.status === 'running'
  if (state && !state.isDryRun)
    return (
      <div className="flex flex-col gap-3">
        <ImportReport state={state} />
        <DialogActions>
          {isRunning ? (
            <Button onPress={run.stop}>Stop</Button>
          ) : (
            <Button variant="primary" onPress={onClose} autoFocus>
              Done
            </Button>
          )}
        </DialogActions>
      </div>
    )
  const columns = chosen?.columns.map(({ name }) => name) ?? []
  const what: Import | undefined = chosen && {
    kind: chosen.kind,
    columns,
    mapping: mappingOf(columns, targets),
    cells,
  }
  const unmapped = what && mappingProblem(what.mapping)
  const isChecked = state?.status === 'done'
  const count = isChecked ? state.report.created + state.report.changed : 0
  return (
    <div className="flex flex-col gap-4">
      {!isRunning && (
        <FileDrop
          label={chosen ? chosen.file.name : 'Drop a file with items'}
          description="CSV, JSON or JSON lines, up to 1 GB."
          accepts={importEndings}
          maxBytes={maxImportBytes}
          onFile={take}
          error={problem}
        />
      )}
      {chosen && what && (
        <>
          <ImportMapping
            columns={chosen.columns}
            targets={targets}
            onChange={(name, target) => {
              run.reset()
              setTargets((before) => withTarget(before, name, target))
            }}
            isDisabled={isRunning}
          />
          {chosen.kind === 'csv' && (
            <span className="flex flex-wrap items-center gap-2">
              <span className="text-sm text-text-2">Cells that hold JSON</span>
              <SegmentedControl
                label="Cells that hold JSON"
                options={[
                  { id: 'json', label: 'are read as JSON' },
                  { id: 'text', label: 'are text' },
                ]}
                value={cells}
                onChange={(next) => {
                  run.reset()
                  setCells(next)
                }}
              />
            </span>
          )}
          {unmapped === undefined && !state && (
            <ImportPreview
              projectId={projectId}
              datasetId={datasetId}
              fileKey={chosen.key}
              rows={chosen.rows}
              what={what}
            />
          )}
        </>
      )}
      {unmapped !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {unmapped}
        </p>
      )}
      {state && <ImportReport state={state} />}
      <DialogActions>
        {isRunning ? (
          <Button onPress={run.stop}>Stop</Button>
        ) : (
          <>
            <Button onPress={onClose}>Cancel</Button>
            {isChecked ? (
              <Button
                variant="primary"
                isDisabled={count === 0}
                onPress={() => chosen && what && run.start(chosen.file, what, false)}
              >
                {`Import ${countOf(count, 'item')}`}
              </Button>
            ) : (
              <Button
                variant="primary"
                isDisabled={!chosen || unmapped !== undefined}
                onPress={() => chosen && what && run.start(chosen.file, what, true)}
              >
                Check the file
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </div>
  )
}
