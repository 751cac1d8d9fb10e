import { Wrench } from 'lucide-react'
import { useMemo } from 'react'
import { cx } from '@/shared/lib/cx'
import { countOf } from '@/shared/lib/format'
import { toolsByUse } from '../messages/pairs'
import type { ToolDefinition } from '../messages/types'
import { JsonBlock } from './JsonBlock'

type ToolListProps = { tools: readonly ToolDefinition[]; called: ReadonlySet<string> }

/** The tools that a model was offered; those that it did not call are dimmed. */
export function ToolList({ tools, called }: ToolListProps) {
  const sorted = useMemo(() => toolsByUse(tools, called), [tools, called])
  const uses = sorted.filter(({ isCalled }) => isCalled).length
  return (
    <details className="min-w-0 border-b border-border">
      <summary className="flex cursor-default flex-wrap items-center gap-1.5 px-3 py-1.5 text-sm text-text-2 select-none">
        <Wrench aria-hidden className="size-3.5 text-type-tool" />
        {countOf(tools.length, 'tool')}
        <span className="text-text-3">{uses === 0 ? 'none called here' : `${uses} called`}</span>
      </summary>
      <ul className="flex flex-col gap-2 px-3 pb-2">
        {sorted.map(({ tool, isCalled }, at) => (
          // A name may be there twice.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className={cx('min-w-0', !isCalled && 'text-text-3')}>
            <details>
              <summary className="min-h-6 cursor-default [overflow-wrap:anywhere] select-none">
                <span className={cx('font-mono text-sm', isCalled && 'font-medium')}>
                  {tool.name}
                </span>
                {!isCalled && <span className="sr-only"> (not called)</span>}
                {tool.description !== undefined && (
                  <span dir="auto" className="ml-2 text-sm text-text-3">
                    {tool.description.slice(0, 300)}
                    {tool.description.length > 300 && '…'}
                  </span>
                )}
              </summary>
              <div className="py-1 pl-3">
                <JsonBlock text={tool.parameters ?? '{}'} label={`Parameters of ${tool.name}`} />
              </div>
            </details>
          </li>
        ))}
      </ul>
    </details>
  )
}
