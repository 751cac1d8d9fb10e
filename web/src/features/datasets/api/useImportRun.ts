import { useEffect, useRef, useState } from 'react'
import { useRefresh } from '@/shared/api'
import { nothingYet, runImport, type Import, type Report } from '../model/importRun'
import { readFile } from '../model/readFile'
import { importPart } from './useImport'

/** A check of a file, or its import: as far as it is. */
export type ImportState = {
  isDryRun: boolean
  report: Report
  /** From 0 to 1. */
  done: number
  status: 'running' | 'done' | 'stopped' | 'failed'
  error?: unknown
}

/** Checks and imports a file. It goes on until it is stopped or the page is left. */
export function useImportRun(projectId: string, datasetId: string) {
  const [state, setState] = useState<ImportState>()
  const refresh = useRefresh(projectId)
  const abort = useRef<AbortController>(undefined)
  useEffect(() => () => abort.current?.abort(), [])
  const start = async (file: File, what: Import, isDryRun: boolean) => {
    abort.current?.abort()
    const controller = new AbortController()
    abort.current = controller
    const { signal } = controller
    let last: ImportState = { isDryRun, report: nothingYet, done: 0, status: 'running' }
    const show = (next: Partial<ImportState>) => {
      last = { ...last, ...next }
      if (abort.current === controller) setState(last)
    }
    show({})
    try {
      const report = await runImport({
        parts: readFile(file),
        what,
        isDryRun,
        send: (request) => importPart(projectId, datasetId, request),
        onProgress: (report, read) => show({ report, done: read / Math.max(1, file.size) }),
        signal,
      })
      show({ report, status: signal.aborted ? 'stopped' : 'done', done: 1 })
    } catch (error) {
      show({ status: 'failed', error })
    }
    if (!isDryRun) void refresh('datasets')
  }
  return {
    state,
    start: (file: File, what: Import, isDryRun: boolean) => void start(file, what, isDryRun),
    stop: () => abort.current?.abort(),
    reset: () => {
      abort.current?.abort()
      abort.current = undefined
      setState(undefined)
    },
  }
}
