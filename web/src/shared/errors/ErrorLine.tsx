import { CircleAlert } from 'lucide-react'
import { messageOf } from '@/shared/api'
import { Button } from '@/shared/ui'

type ErrorLineProps = { title: string; error: unknown; isPending?: boolean; onRetry: () => void }

/** One line for a part of a page that could not be loaded: why, and a retry button. */
export function ErrorLine({ title, error, isPending, onRetry }: ErrorLineProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 px-3 py-2 text-text-2">
      <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />
      <span className="min-w-0 break-words">
        {title}: {messageOf(error)}
      </span>
      <Button size="sm" isPending={isPending} onPress={onRetry}>
        Try again
      </Button>
    </div>
  )
}
