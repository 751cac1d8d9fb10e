import type { Detail } from '../model/wire'
import { Fact, Facts } from './Facts'
import { TextValue } from './TextValue'

type MetadataTabProps = { projectId: string; detail: Detail }

const sourceLabels: Record<keyof Detail['source'], string> = {
  source: 'Sent by',
  sdkName: 'SDK',
  sdkVersion: 'SDK version',
  serviceName: 'Service',
  serviceVersion: 'Service version',
  scopeName: 'Scope',
  scopeVersion: 'Scope version',
  telemetryLanguage: 'Language',
  telemetryName: 'Telemetry',
  telemetryVersion: 'Telemetry version',
}
const sourceNames = Object.keys(sourceLabels) as (keyof Detail['source'])[]

/** All metadata, and where the observation came from. */
export function MetadataTab({ projectId, detail }: MetadataTabProps) {
  const { texts } = detail
  const common = { projectId, detail, kind: 'metadata' } as const
  const isEmpty = [
    texts.metadata,
    texts.traceMetadata,
    texts.experimentMetadata,
    texts.experimentItemMetadata,
  ].every((each) => each === null)
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {isEmpty && <p className="text-text-3">No metadata was recorded.</p>}
      <TextValue {...common} field="metadata" label="Metadata" />
      <TextValue {...common} field="traceMetadata" label="Trace metadata" />
      <TextValue {...common} field="experimentMetadata" label="Experiment metadata" />
      <TextValue {...common} field="experimentItemMetadata" label="Dataset item metadata" />
      <Facts>
        {sourceNames.map((name) => {
          const value = detail.source[name]
          return value === null || value === '' ? null : (
            <Fact key={name} label={sourceLabels[name]}>
              <span className="truncate">{value.slice(0, 200)}</span>
            </Fact>
          )
        })}
      </Facts>
    </div>
  )
}
