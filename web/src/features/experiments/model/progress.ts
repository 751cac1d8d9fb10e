import { countOf, formatExact, formatMoney } from '@/shared/lib/format'
import type { Tone } from '@/shared/ui'
import type { RunChange, ServerRun } from '../api/useRuns'

const states: Record<ServerRun['state'], { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Running', tone: 'accent' },
  paused: { label: 'Paused', tone: 'warning' },
  done: { label: 'Done', tone: 'success' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

export function describeState(state: ServerRun['state']): { label: string; tone: Tone } {
  return states[state]
}

/** Whether a server works on it, or will soon. */
export function isOpen({ state }: Pick<ServerRun, 'state'>): boolean {
  return state === 'queued' || state === 'running'
}

/** The calls of all runs that have left results. */
export function endedCalls(runs: readonly Pick<ServerRun, 'done' | 'failed'>[]): number {
  return runs.reduce((sum, { done, failed }) => sum + done + failed, 0)
}

/** What can be done about a run, in the order of the buttons. */
export function changesOf({ state, failed }: Pick<ServerRun, 'state' | 'failed'>): RunChange[] {
  if (state === 'queued' || state === 'running') return ['pause', 'cancel']
  const retry: RunChange[] = failed > 0 ? ['retry'] : []
  if (state === 'paused') return ['resume', ...retry, 'cancel']
  return state === 'done' ? retry : []
}

/** How far it is, and what it has cost: "37 of 200 calls, 2 failed, $0.0123". */
export function progressText(
  run: Pick<ServerRun, 'total' | 'done' | 'failed' | 'cost' | 'unpriced'>,
): string {
  const ended = run.done + run.failed
  const calls =
    ended === run.total
      ? countOf(run.total, 'call')
      : `${formatExact(ended)} of ${countOf(run.total, 'call')}`
  const failed = run.failed > 0 ? `, ${formatExact(run.failed)} failed` : ''
  return `${calls}${failed}${costText(run, ended)}`
}

function costText({ cost, unpriced }: Pick<ServerRun, 'cost' | 'unpriced'>, ended: number): string {
  if (ended === 0) return ''
  if (unpriced === 0) return `, ${formatMoney(cost)}`
  return unpriced >= ended
    ? ', cost unknown'
    : `, ${formatMoney(cost)} and ${countOf(unpriced, 'call')} without a price`
}

/** The runs that are shown at once: all that have not ended, and the newest of the others. */
export function shownRuns(runs: readonly ServerRun[], isWhole: boolean): readonly ServerRun[] {
  const mostEnded = 3
  if (isWhole) return runs
  let ended = 0
  return runs.filter((run) => isOpen(run) || run.state === 'paused' || ++ended <= mostEnded)
}
