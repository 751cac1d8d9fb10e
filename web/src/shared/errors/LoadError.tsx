import { messageOf } from '@/shared/api'
import { ErrorState } from '@/shared/ui'

type LoadErrorProps = {
  title: string
  query: { error: unknown; refetch: () => Promise<unknown> }
}

/** Shown for something that could not be loaded: why, and a retry button. */
export function LoadError({ title, query }: LoadErrorProps) {
  return (
    <ErrorState
      title={title}
      message={messageOf(query.error)}
      onRetry={() => void query.refetch()}
    />
  )
}
