import { Upload } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { DropZone, FileTrigger, isFileDropItem, Text } from 'react-aria-components'
import { Button } from './Button'

type FileDropProps = {
  label: string
  /** What is expected: "CSV or JSON lines, up to 10 MB". */
  description?: ReactNode
  /** File name endings: [".csv", ".jsonl"]. */
  accepts: readonly string[]
  maxBytes: number
  onFile: (file: File) => void
  error?: string
}

/** A file, dropped, pasted or chosen. What it cannot be is said before anything is read. */
export function FileDrop(props: FileDropProps) {
  const { label, description, accepts, maxBytes, onFile } = props
  const [problem, setProblem] = useState<string>()
  const take = (file: File | undefined) => {
    if (!file) return
    const isAccepted = accepts.some((ending) => file.name.toLowerCase().endsWith(ending))
    if (!isAccepted) setProblem(`“${file.name}” is none of ${accepts.join(', ')}.`)
    else if (file.size > maxBytes)
      setProblem(`“${file.name}” is larger than ${Math.floor(maxBytes / 1e6)} MB.`)
    else {
      setProblem(undefined)
      onFile(file)
    }
  }
  const error = problem ?? props.error
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <DropZone
        aria-label={label}
        onDrop={(event) => {
          const dropped = event.items.find(isFileDropItem)
          if (dropped) void dropped.getFile().then(take)
        }}
        className="flex min-w-0 flex-col items-center gap-2 rounded-lg border border-dashed border-control bg-surface-1 p-6 text-center data-drop-target:border-accent data-drop-target:bg-accent-soft data-focus-visible:outline-2 data-focus-visible:outline-accent"
      >
        <Upload aria-hidden className="size-5 text-text-3" />
        <Text slot="label" className="font-medium">
          {label}
        </Text>
        {description !== undefined && <span className="text-sm text-text-3">{description}</span>}
        <FileTrigger acceptedFileTypes={[...accepts]} onSelect={(files) => take(files?.[0])}>
          <Button size="sm">Choose a file</Button>
        </FileTrigger>
      </DropZone>
      {error !== undefined && (
        <p role="alert" className="text-sm text-danger">
          {error}
        </p>
      )}
    </div>
  )
}
