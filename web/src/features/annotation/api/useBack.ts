import { useNavigate } from '@tanstack/react-router'
import { ApiError } from '@/shared/api'
import { useUser } from '@/shared/currentUser'
import { toastFailure } from '@/shared/errors'
import { forgetVisited, visitedIn } from '../model/visited'
import { useTakeBack } from './useReview'

/** The way back to the item that the user completed or skipped last; a completion is taken back. */
export function useBack(projectId: string, queueId: string, current: string | undefined) {
  const { id: userId } = useUser()
  const navigate = useNavigate()
  const takeBack = useTakeBack(projectId, queueId, userId)
  const last = visitedIn(projectId, queueId).findLast((id) => id !== current)
  const isPossible = last !== undefined && !takeBack.isPending
  const goBack = () => {
    if (last === undefined || !isPossible) return
    takeBack.mutate(last, {
      onSuccess: () => {
        forgetVisited(projectId, queueId, last)
        void navigate({
          to: '/project/$projectId/annotation-queues/$queueId/items/$itemId',
          params: { projectId, queueId, itemId: last },
        })
      },
      onError: (error) => {
        // It is somebody else's now, or gone: there is nothing to come back to.
        if (error instanceof ApiError && [404, 409].includes(error.status))
          forgetVisited(projectId, queueId, last)
        toastFailure('The item before could not be opened')(error)
      },
    })
  }
  return { isPossible, goBack }
}
