import { messageOf } from '@/api'
import { ErrorState } from '@/ui'

type LoadErrorProps = {
  title: string
  query: { error: unknown; refetch: () => Promise<unknown> }
}

/** Something could not be loaded: why, and another try. */
export function LoadError({ title, query }: LoadErrorProps) {
  return (
    <ErrorState
      title={title}
      message={messageOf(query.error)}
      onRetry={() => void query.refetch()}
    />
  )
}
