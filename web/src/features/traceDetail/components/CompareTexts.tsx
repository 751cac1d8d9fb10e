import { useState } from 'react'
import { Diff } from '@/shared/diff'
import { LoadError } from '@/shared/errors'
import { Badge, SegmentedControl, Skeleton, type Option } from '@/shared/ui'
import { useDetail } from '../api/useDetail'
import { TextValue } from './TextValue'

type Side = { traceId: string; observationId: string | undefined }

type CompareTextsProps = { projectId: string; a: Side; b: Side }

const fields = [
  { field: 'input', label: 'Input' },
  { field: 'output', label: 'Output' },
] as const

type DiffMode = 'difference' | 'sides'

const ways: Option<DiffMode>[] = [
  { id: 'difference', label: 'Difference' },
  { id: 'sides', label: 'Both texts' },
]

/** The inputs and outputs of two observations, as a difference or both as they are. */
export function CompareTexts({ projectId, a, b }: CompareTextsProps) {
  const [how, setHow] = useState<DiffMode>('difference')
  const first = useDetail(projectId, a.traceId, a.observationId)
  const second = useDetail(projectId, b.traceId, b.observationId)
  if (first.isError) return <LoadError title="Couldn’t load A" query={first} />
  if (second.isError) return <LoadError title="Couldn’t load B" query={second} />
  if (first.isLoading || second.isLoading)
    return (
      <div aria-busy="true" className="grid grid-cols-2 gap-3 p-3">
        <Skeleton className="h-24" />
        <Skeleton className="h-24" />
      </div>
    )
  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col gap-3 overflow-y-auto p-3">
      <div>
        <SegmentedControl label="How to compare" options={ways} value={how} onChange={setHow} />
      </div>
      {fields.map(({ field, label }) => {
        const before = first.data?.texts[field] ?? null
        const after = second.data?.texts[field] ?? null
        if (before === null && after === null) return null
        const isCut = first.data?.cut[field] !== undefined || second.data?.cut[field] !== undefined
        return (
          <section key={field} aria-label={label} className="flex min-w-0 flex-col gap-1.5">
            <h2 className="flex items-center gap-2 font-medium">
              {label}
              {before === after && !isCut ? (
                <Badge>the same</Badge>
              ) : (
                before !== after && <Badge tone="accent">different</Badge>
              )}
            </h2>
            {how === 'difference' && before !== null && after !== null && before !== after ? (
              <>
                <Diff label={label} before={before} after={after} names={['A', 'B']} />
                {isCut && (
                  <p className="text-sm text-text-3">
                    Only the first 64 kB of each are compared; the texts themselves have the rest.
                  </p>
                )}
              </>
            ) : (
              <div className="grid min-w-0 grid-cols-1 gap-3 @3xl:grid-cols-2">
                {[
                  { name: 'A', detail: first.data },
                  { name: 'B', detail: second.data },
                ].map(({ name, detail }) =>
                  detail && detail.texts[field] !== null ? (
                    <TextValue
                      key={`${name} ${detail.id}`}
                      projectId={projectId}
                      detail={detail}
                      field={field}
                      kind={field}
                      label={`${label} of ${name}`}
                    />
                  ) : (
                    <p key={name} className="text-text-3">
                      {name} has none.
                    </p>
                  ),
                )}
              </div>
            )}
          </section>
        )
      })}
    </div>
  )
}
