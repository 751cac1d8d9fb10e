import { CircleAlert } from 'lucide-react'
import { messageOf } from '@/api'
import { Button } from '@/ui'

type MoreErrorProps = {
  query: { error: unknown; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
}

/** One line at the end of a list whose next page could not be loaded: why, and another try. */
export function MoreError({ query }: MoreErrorProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 px-3 py-2 text-text-2">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      <span className="min-w-0 break-words">
        More could not be loaded: {messageOf(query.error)}
      </span>
      <Button
        size="sm"
        isPending={query.isFetchingNextPage}
        onPress={() => void query.fetchNextPage()}
      >
        Try again
      </Button>
    </div>
  )
}
