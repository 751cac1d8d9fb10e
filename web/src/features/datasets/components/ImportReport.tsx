import { Download } from 'lucide-react'
import { messageOf } from '@/shared/api'
import { formatExact } from '@/shared/lib/format'
import { saveBlob } from '@/shared/lib/saveBlob'
import { Button, Callout } from '@/shared/ui'
import type { ImportState } from '../api/useImportRun'
import { reasonsText, reportText } from '../model/importRun'
import { UnreadableFile } from '../model/readFile'

/** The list shows so many refused rows; the file that can be saved has more. */
const maxShown = 100

/** What became, or would become, of the rows of a file. */
export function ImportReport({ state }: { state: ImportState }) {
  const { report, status, isDryRun, error } = state
  const text = reportText(report, isDryRun)
  return (
    <div className="flex flex-col gap-3">
      {status === 'running' ? (
        <div className="flex flex-col gap-1">
          <progress
            aria-label={isDryRun ? 'Checking the file' : 'Importing the file'}
            value={state.done}
            className="h-1.5 w-full accent-accent"
          />
          <p role="status" className="tabular text-sm text-text-2">
            {isDryRun ? 'Checking' : 'Importing'}: {Math.floor(state.done * 100)} %
          </p>
        </div>
      ) : status === 'failed' ? (
        <Callout
          tone="danger"
          title={isDryRun ? 'The file was not checked' : 'The import was interrupted'}
        >
          {error instanceof UnreadableFile ? error.message : messageOf(error)}
          {!isDryRun && ` Until then: ${text} Import the file again; nothing doubles.`}
        </Callout>
      ) : (
        <Callout
          tone={report.refused > 0 || status === 'stopped' ? 'warning' : 'success'}
          title={status === 'stopped' ? 'Stopped' : undefined}
        >
          {text}
        </Callout>
      )}
      {report.refused > 0 && <RefusedRows state={state} />}
    </div>
  )
}

function RefusedRows({ state: { report } }: { state: ImportState }) {
  return (
    <div className="flex flex-col gap-1.5">
      <ul
        aria-label="Refused rows"
        // A region that scrolls has to be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="flex max-h-56 flex-col overflow-y-auto rounded-md border border-border"
      >
        {report.reasons.slice(0, maxShown).map(({ line, reason }) => (
          <li
            key={`${line} ${reason}`}
            className="flex min-w-0 gap-3 border-b border-border px-3 py-1.5 text-sm last:border-b-0"
          >
            <span className="tabular shrink-0 text-text-3">Line {formatExact(line)}</span>
            <bdi className="min-w-0 break-words">{reason}</bdi>
          </li>
        ))}
      </ul>
      <div className="flex items-center justify-between gap-3">
        <span className="text-sm text-text-3">
          {report.refused > maxShown && `The first ${maxShown} of ${formatExact(report.refused)}.`}
        </span>
        <Button
          size="sm"
          icon={<Download aria-hidden />}
          onPress={() =>
            saveBlob(new Blob([reasonsText(report)], { type: 'text/plain' }), 'refused-rows.txt')
          }
        >
          Save the list
        </Button>
      </div>
    </div>
  )
}
