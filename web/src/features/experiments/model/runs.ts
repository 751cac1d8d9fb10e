import type { ComparedRun } from '../api/useComparison'

/** The name of a run among others: numbered, since several may have the same. */
export function runName(run: Pick<ComparedRun, 'id' | 'name'>, n: number): string {
  return `${n === 0 ? 'Baseline' : n} · ${run.name || run.id}`
}
