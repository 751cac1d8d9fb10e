import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { LoadError, toastFailure } from '@/shared/errors'
import { Dialog, IconButton, Select, Skeleton } from '@/shared/ui'
import { useAssign, useAssignees } from '../api/useQueues'

type PeopleDialogProps = {
  projectId: string
  queueId: string
  isOpen: boolean
  onClose: () => void
}

/** Who is assigned to a queue. Annotators see only the queues that they are assigned to. */
export function PeopleDialog({ projectId, queueId, isOpen, onClose }: PeopleDialogProps) {
  return (
    <Dialog title="People of the queue" isOpen={isOpen} onClose={onClose}>
      {isOpen && <People projectId={projectId} queueId={queueId} />}
    </Dialog>
  )
}

function People({ projectId, queueId }: { projectId: string; queueId: string }) {
  const { can } = useProject()
  const mayAssign = can('members:write')
  const assigned = useAssignees(projectId, queueId)
  const members = useQuery({
    queryKey: projectKey(projectId, 'members', 'assignable'),
    queryFn: ({ signal }) => unwrap(projectApi(projectId).GET('/members', { signal })),
    enabled: mayAssign,
  })
  const assign = useAssign(projectId, queueId)
  if (assigned.isError) return <LoadError title="Couldn’t load the people" query={assigned} />
  if (!assigned.data) return <Skeleton className="h-24 w-full" />
  const known = new Set(assigned.data.map(({ userId }) => userId))
  const set = (userId: string, isAssigned: boolean) =>
    assign.mutate({ userId, isAssigned }, { onError: toastFailure('The people were not changed') })
  const others = (members.data?.members ?? []).filter(({ userId }) => !known.has(userId))
  return (
    <div className="flex flex-col gap-3">
      <p className="text-text-2">
        Annotators see the queues that they are assigned to, and nothing else. Other members see all
        queues; for them, an assignment is a note.
      </p>
      {assigned.data.length === 0 ? (
        <p className="text-text-3">Nobody is assigned yet.</p>
      ) : (
        <ul aria-label="Assigned people" className="flex flex-col divide-y divide-border">
          {assigned.data.map(({ userId, name, email }) => (
            <li key={userId} className="flex min-w-0 items-center gap-2 py-1">
              <span className="flex min-w-0 flex-1 flex-col">
                <bdi className="truncate">{name || email}</bdi>
                {name !== '' && <span className="truncate text-sm text-text-3">{email}</span>}
              </span>
              {mayAssign && (
                <IconButton
                  size="sm"
                  label={`Remove ${name || email}`}
                  icon={<X aria-hidden />}
                  isDisabled={assign.isPending}
                  onPress={() => set(userId, false)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {mayAssign &&
        (members.isError ? (
          <LoadError title="Couldn’t load the members" query={members} />
        ) : (
          <Select
            label="Assign somebody"
            placeholder={others.length === 0 ? 'Everybody is assigned' : 'Choose a member'}
            isDisabled={others.length === 0 || assign.isPending}
            options={others.map(({ userId, name, email }) => ({
              id: userId,
              label: name || email,
              description: name === '' ? undefined : email,
            }))}
            value={null}
            onChange={(userId) => set(userId, true)}
          />
        ))}
      {!mayAssign && <p className="text-sm text-text-3">Administrators assign people.</p>}
    </div>
  )
}
