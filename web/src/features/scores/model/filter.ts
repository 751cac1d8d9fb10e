import { dataTypes } from '@/shared/scoring'
import type { Scope } from '@/shared/scope'

export function dataTypeLabel(dataType: string): string {
  return dataTypes.find(({ id }) => id === dataType)?.label ?? dataType
}

/** The parameters of GET v3/scores for a time range and environments. */
export function scoresQuery(scope: Scope) {
  return {
    ...(scope.environment && { environment: scope.environment.join(',') }),
    fromTimestamp: scope.from,
    ...(scope.to !== undefined && { toTimestamp: scope.to }),
  }
}
