import { useMemo, useState } from 'react'
import { formatExact } from '@/shared/lib/format'
import { Button } from '@/shared/ui'
import { RawText } from '../value/RawText'
import { Blocks } from './Blocks'
import { beginningOf, blocksAtFirst, blocksOf } from './model/blocks'

/** A text rendered as Markdown. A long text is shown in part at first. */
export function Markdown({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false)
  const blocks = useMemo(() => blocksOf(text), [text])
  if (!blocks) return <PlainText text={text} isWhole={isWhole} onWhole={() => setWhole(true)} />
  const shown = isWhole ? blocks.length : blocksAtFirst(blocks)
  const first = shown === 1 && !isWhole ? blocks[0] : undefined
  const isHuge = first !== undefined && beginningOf(first.raw) !== first.raw
  if (isHuge) return <PlainText text={text} isWhole={false} onWhole={() => setWhole(true)} />
  return (
    <div className="flex min-w-0 flex-col gap-2 [overflow-wrap:anywhere]">
      <Blocks tokens={blocks.slice(0, shown)} depth={0} />
      {shown < blocks.length && <More length={text.length} onPress={() => setWhole(true)} />}
    </div>
  )
}

type PlainTextProps = { text: string; isWhole: boolean; onWhole: () => void }

/** A text that is too long or too unusual to be parsed as Markdown. */
function PlainText({ text, isWhole, onWhole }: PlainTextProps) {
  const beginning = beginningOf(text)
  if (isWhole && text !== beginning) return <RawText text={text} label="Text" />
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-wrap">
        {beginning}
        {beginning !== text && '…'}
      </p>
      {beginning !== text && <More length={text.length} onPress={onWhole} />}
    </div>
  )
}

function More({ length, onPress }: { length: number; onPress: () => void }) {
  return (
    <div>
      <Button size="sm" onPress={onPress}>
        Show all {formatExact(length)} characters
      </Button>
    </div>
  )
}
