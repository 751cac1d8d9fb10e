import { sessionMap } from '@/shared/lib/sessionState'

/** The items that the user has completed or skipped in this tab, by queue, so that they can go back to them. */
const visited = sessionMap<string, readonly string[]>()

const mostKept = 200

export function visitedIn(projectId: string, queueId: string): readonly string[] {
  return visited.get(`${projectId} ${queueId}`) ?? []
}

/** Notes that the user is done with an item. */
export function noteVisited(projectId: string, queueId: string, itemId: string): void {
  const others = visitedIn(projectId, queueId).filter((id) => id !== itemId)
  visited.set(`${projectId} ${queueId}`, [...others, itemId].slice(-mostKept))
}

/** Forgets an item: the user is at it again. */
export function forgetVisited(projectId: string, queueId: string, itemId: string): void {
  const others = visitedIn(projectId, queueId).filter((id) => id !== itemId)
  visited.set(`${projectId} ${queueId}`, others)
}
