import { fieldOfColumn } from './query'

export type Facet = { column: string; label: string; isOpenAtFirst: boolean }

/** The facets beside the table, the most used first. */
export const facets: readonly Facet[] = [
  { column: 'level', label: 'Level', isOpenAtFirst: true },
  { column: 'type', label: 'Type', isOpenAtFirst: true },
  { column: 'traceName', label: 'Trace name', isOpenAtFirst: true },
  { column: 'name', label: 'Name', isOpenAtFirst: true },
  { column: 'model', label: 'Model', isOpenAtFirst: true },
  { column: 'environment', label: 'Environment', isOpenAtFirst: true },
  { column: 'tags', label: 'Tags', isOpenAtFirst: false },
  { column: 'userId', label: 'User', isOpenAtFirst: false },
  { column: 'sessionId', label: 'Session', isOpenAtFirst: false },
  { column: 'calledToolNames', label: 'Called tools', isOpenAtFirst: false },
  { column: 'promptName', label: 'Prompt', isOpenAtFirst: false },
  { column: 'version', label: 'Version', isOpenAtFirst: false },
  { column: 'release', label: 'Release', isOpenAtFirst: false },
  { column: 'statusMessage', label: 'Status message', isOpenAtFirst: false },
  { column: 'isRootObservation', label: 'Root', isOpenAtFirst: false },
  { column: 'experimentName', label: 'Experiment', isOpenAtFirst: false },
]

/** The label of a column in facets, groups and differences. */
export function labelOf(column: string): string {
  return (
    facets.find((facet) => facet.column === column)?.label ?? fieldOfColumn(column)?.about ?? column
  )
}
