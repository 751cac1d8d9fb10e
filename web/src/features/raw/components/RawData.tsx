import { useDeferredValue } from 'react'
import { CodeBlock } from '@/ui'

const most = 200_000

/** Data as JSON. Cut data is marked as such. */
export function RawData({ data }: { data: unknown }) {
  const text = useDeferredValue(JSON.stringify(data, null, 2))
  const isShort = text.length <= most
  return (
    <div className="flex flex-col gap-2">
      {!isShort && (
        <p className="text-text-3">
          The first {most.toLocaleString('en-US')} of {text.length.toLocaleString('en-US')}{' '}
          characters.
        </p>
      )}
      <CodeBlock label="raw data" code={isShort ? text : text.slice(0, most)} wrap />
    </div>
  )
}
