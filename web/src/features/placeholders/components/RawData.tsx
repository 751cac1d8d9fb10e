import { formatExact } from '@/shared/lib/format'
import { useMemo } from 'react'
import { prettyText } from '@/shared/io'
import { CodeBlock } from '@/shared/ui'

const maxLength = 200_000

/** JSON as it is stored, with one line per entry. Only the beginning of a long text is shown; all of it is copied. */
export function RawData({ json }: { json: string }) {
  const text = useMemo(() => prettyText(json) ?? json, [json])
  const isShort = text.length <= maxLength
  return (
    <div className="flex flex-col gap-2">
      {!isShort && (
        <p className="text-text-3">
          The first {formatExact(maxLength)} of {formatExact(text.length)} characters.
        </p>
      )}
      <CodeBlock
        label="raw data"
        code={isShort ? text : text.slice(0, maxLength)}
        copied={text}
        wrap
      />
    </div>
  )
}
