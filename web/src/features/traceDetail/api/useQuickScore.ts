import { useMutation, useQueryClient } from '@tanstack/react-query'
import { projectApi, scopesOfScores, traceKey, unwrap, useRefresh } from '@/shared/api'
import { toastFailure } from '@/shared/errors'
import { sessionMap } from '@/shared/lib/sessionState'
import { changedScore, toScoreValues, type NewScore, type Score } from '@/shared/scoring'

type ScoresOfTrace = { scores: Score[]; isWhole: boolean }

/** A score that was given with a key: what it was before, and what is shown of it. */
export type GivenScore = { traceId: string; before: Score | undefined; score: Score; on: string }

/** A change of a score: to a new value, or back to what was. */
type Change =
  | { do: 'give'; given: GivenScore; request: () => Promise<NewScore> }
  | { do: 'undo'; given: GivenScore }

const mostUndone = 50
const givenBefore = sessionMap<string, readonly GivenScore[]>()

/** The scores that can be taken back, the last one last. They outlive the page: the next trace is another one. */
export function givenScores(projectId: string): readonly GivenScore[] {
  return givenBefore.get(projectId) ?? []
}

export const quickScoreKey = (projectId: string) => ['quickScore', projectId]

/**
 * Gives scores without waiting for the server: a score is shown at once, and stored one after the other. A score that
 * could not be stored is said so, and read again.
 */
export function useQuickScore(projectId: string) {
  const client = useQueryClient()
  const refresh = useRefresh(projectId)
  const mutationKey = quickScoreKey(projectId)
  const show = async ({ do: what, given }: Change) => {
    const key = traceKey(projectId, given.traceId, 'scores')
    // What is on its way was read before.
    await client.cancelQueries({ queryKey: key })
    const shown = what === 'give' ? given.score : given.before
    client.setQueryData<ScoresOfTrace>(key, (known) => {
      if (!known) return known
      const others = known.scores.filter(({ id }) => id !== given.score.id)
      return { ...known, scores: shown ? [shown, ...others] : others }
    })
  }
  return useMutation({
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    mutationFn: async (change: Change) => {
      const { before, score } = change.given
      if (change.do === 'undo' && !before)
        return unwrap(
          projectApi(projectId).DELETE('/scores/{scoreId}', {
            params: { path: { scoreId: score.id } },
          }),
        )
      const body =
        change.do === 'undo' && before
          ? changedScore(before, toScoreValues(before))
          : change.do === 'give'
            ? await change.request()
            : undefined
      return body && unwrap(projectApi(projectId).POST('/scores', { body }))
    },
    onMutate: (change) => {
      const kept = givenScores(projectId)
      givenBefore.set(
        projectId,
        change.do === 'give'
          ? [...kept, change.given].slice(-mostUndone)
          : kept.filter((each) => each !== change.given),
      )
      return show(change)
    },
    onError: (error, change) => {
      // What is not there cannot be taken back.
      const kept = givenScores(projectId)
      givenBefore.set(
        projectId,
        change.do === 'give'
          ? kept.filter((each) => each !== change.given)
          : [...kept, change.given],
      )
      toastFailure('The score could not be stored')(error)
    },
    onSettled: () => {
      // Reading between two of them would show what was before the second.
      if (client.isMutating({ mutationKey }) <= 1) void refresh(...scopesOfScores)
    },
  })
}
