import { useMemo, useState } from 'react'
import { Diff, diffLayoutPreference, type DiffLayout } from '@/shared/diff'
import { RoleHeading } from '@/shared/io'
import { countOf } from '@/shared/lib/format'
import { usePreference } from '@/shared/lib/preference'
import { Badge, Button, SegmentedControl, type Option } from '@/shared/ui'
import { MarkedText } from './MarkedText'
import { alignParts, type PartPair } from './model/alignParts'
import { partsOf, type PromptBody, type PromptPart } from './model/body'
import { PartView } from './PromptContent'

const layouts: Option<DiffLayout>[] = [
  { id: 'inline', label: 'Inline' },
  { id: 'sides', label: 'Side by side' },
]

type PromptDiffProps = {
  before: PromptBody
  after: PromptBody
  /** The names of the two sides: "Version 5". */
  names?: readonly [before: string, after: string]
}

/** What differs between two versions, by word: messages beside those that they came from, and the config. */
export function PromptDiff({ before, after, names }: PromptDiffProps) {
  const layout = usePreference(diffLayoutPreference)
  const pairs = useMemo(() => alignParts(partsOf(before), partsOf(after)), [before, after])
  const groups = useMemo(() => grouped(pairs), [pairs])
  const isSameConfig = before.config === after.config
  if (isSameConfig && pairs.every(({ kind }) => kind === 'same'))
    return <p className="text-text-3">Content and config are the same.</p>
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <SegmentedControl
        label="Layout of the differences"
        options={layouts}
        value={layout}
        onChange={diffLayoutPreference.set}
        className="self-end"
      />
      {groups.map((group) =>
        group.kind === 'same' ? (
          <SameParts key={group.at} parts={group.parts} />
        ) : (
          <PairView key={group.at} pair={group.pair} names={names} layout={layout} />
        ),
      )}
      {!isSameConfig && (
        <section aria-label="Config" className="flex min-w-0 flex-col gap-1.5">
          <h3 className="text-sm font-medium text-text-2">Config</h3>
          <Diff
            label="config"
            before={before.config}
            after={after.config}
            names={names}
            layout={layout}
          />
        </section>
      )}
    </div>
  )
}

type Group =
  | { kind: 'same'; at: number; parts: PromptPart[] }
  | { kind: 'other'; at: number; pair: Exclude<PartPair, { kind: 'same' }> }

/** Equal parts that follow each other are one group. */
function grouped(pairs: readonly PartPair[]): Group[] {
  const groups: Group[] = []
  for (const [at, pair] of pairs.entries()) {
    const last = groups.at(-1)
    if (pair.kind !== 'same') groups.push({ kind: 'other', at, pair })
    else if (last?.kind === 'same') last.parts.push(pair.after)
    else groups.push({ kind: 'same', at, parts: [pair.after] })
  }
  return groups
}

function SameParts({ parts }: { parts: readonly PromptPart[] }) {
  const [isOpen, setOpen] = useState(false)
  const isText = parts[0]?.kind === 'text'
  if (!isOpen)
    return (
      <Button variant="ghost" size="sm" onPress={() => setOpen(true)} className="self-start">
        {isText
          ? 'The text is the same: show it'
          : `Show ${countOf(parts.length, 'message')} that ${parts.length === 1 ? 'is' : 'are'} the same`}
      </Button>
    )
  return (
    <ol aria-label="The same in both" className="flex flex-col divide-y divide-border">
      {parts.map((part, at) => (
        // Messages have no identity other than their place.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at} className="flex min-w-0 flex-col gap-1 px-3 py-2">
          <PartView part={part} />
        </li>
      ))}
    </ol>
  )
}

type PairViewProps = {
  pair: Exclude<PartPair, { kind: 'same' }>
  names: PromptDiffProps['names']
  layout: DiffLayout
}

function PairView({ pair, names, layout }: PairViewProps) {
  if (pair.kind !== 'changed') {
    const isNew = pair.kind === 'added'
    const part = isNew ? pair.after : pair.before
    return (
      <section
        aria-label={isNew ? 'Added message' : 'Removed message'}
        className={
          isNew
            ? 'flex min-w-0 flex-col gap-1.5 rounded-md border border-border bg-success-soft p-2.5'
            : 'flex min-w-0 flex-col gap-1.5 rounded-md border border-border bg-danger-soft p-2.5'
        }
      >
        <div className="flex min-w-0 items-center gap-2">
          <Badge tone={isNew ? 'success' : 'danger'}>{isNew ? '+ Added' : '− Removed'}</Badge>
          <Heading part={part} />
        </div>
        <MarkedText text={part.text} />
      </section>
    )
  }
  const { before, after } = pair
  return (
    <section aria-label="Changed message" className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {before.role === after.role ? (
          <Heading part={after} />
        ) : (
          <>
            <Heading part={before} />
            <span aria-label="became">→</span>
            <Heading part={after} />
          </>
        )}
      </div>
      {before.text === after.text ? (
        <MarkedText text={after.text} />
      ) : (
        <Diff
          label={after.role === '' ? 'text' : `message of ${after.role}`}
          before={before.text}
          after={after.text}
          names={names}
          layout={layout}
          isVerbatim
        />
      )}
    </section>
  )
}

function Heading({ part }: { part: PromptPart }) {
  switch (part.kind) {
    case 'text':
      return <h3 className="text-sm font-medium text-text-2">Text</h3>
    case 'placeholder':
      return <span className="text-sm text-text-3">Placeholder</span>
    case 'message':
      return <RoleHeading role={part.role} />
  }
}
