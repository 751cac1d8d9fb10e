import type { UiComponents } from '@/shared/api'

export type Group = UiComponents['schemas']['Groups']['groups'][number]

/** The columns offered for grouping; any metadata key works as well. */
export const groupings: readonly { column: string; label: string }[] = [
  { column: 'name', label: 'Name' },
  { column: 'traceName', label: 'Trace name' },
  { column: 'type', label: 'Type' },
  { column: 'model', label: 'Model' },
  { column: 'userId', label: 'User' },
  { column: 'sessionId', label: 'Session' },
  { column: 'environment', label: 'Environment' },
  { column: 'version', label: 'Version' },
  { column: 'release', label: 'Release' },
  { column: 'promptName', label: 'Prompt' },
  { column: 'promptVersion', label: 'Prompt version' },
  { column: 'tags', label: 'Tag' },
  { column: 'calledToolNames', label: 'Called tool' },
  { column: 'level', label: 'Level' },
  { column: 'statusMessage', label: 'Status message' },
]

export function groupLabel(column: string): string {
  return groupings.find((each) => each.column === column)?.label ?? column
}
