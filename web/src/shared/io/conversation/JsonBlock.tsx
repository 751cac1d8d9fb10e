import { use, useMemo } from 'react'
import { CopyButton } from '@/shared/ui'
import { JsonViewer } from '../json/JsonViewer'
import { Json } from '../json/model/json'
import { pretty } from '../json/model/pretty'
import { Markdown } from '../markdown/Markdown'
import { IncompleteContext } from './incomplete'

/** JSON up to this length is shown in full; longer JSON gets a tree. */
const small = 2000

/** JSON inside something else. Anything that is not JSON is shown as text. The copy button copies the stored text. */
export function JsonBlock({ text, label }: { text: string; label: string }) {
  const isIncomplete = use(IncompleteContext)
  const isSmall = text.length <= small
  const shown = useMemo(() => {
    const value = isSmall ? Json.parse(text) : undefined
    return value && pretty(value)
  }, [isSmall, text])
  if (!isSmall && /^\s*[[{]/.test(text))
    return (
      <div className="min-w-0 rounded-md border border-border">
        <JsonViewer text={text} label={label} isCut={isIncomplete} />
      </div>
    )
  if (shown === undefined) return <Markdown text={text} />
  return (
    <div className="group relative min-w-0">
      <pre
        dir="auto"
        className="max-h-80 overflow-auto pr-8 font-mono text-sm [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {shown}
      </pre>
      <CopyButton
        text={text}
        label={`Copy ${isIncomplete ? 'the shown part of ' : ''}${label.toLowerCase()}`}
        className="absolute top-0 right-0 bg-surface-0"
      />
    </div>
  )
}
