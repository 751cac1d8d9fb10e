import { CircleAlert, RotateCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './Button'

type ErrorStateProps = {
  title: string
  message: string
  onRetry?: () => void
  retryLabel?: string
  children?: ReactNode
}

/** What failed, why, and a retry button. */
export function ErrorState({
  title,
  message,
  onRetry,
  retryLabel = 'Try again',
  children,
}: ErrorStateProps) {
  return (
    <div
      role="alert"
      className="mx-auto flex max-w-lg flex-col items-center gap-2 px-4 py-10 text-center"
    >
      <CircleAlert aria-hidden className="size-6 text-danger" />
      <p className="text-lg font-medium">{title}</p>
      <p className="break-words text-text-2">{message}</p>
      {children}
      {onRetry && (
        <Button onPress={onRetry} icon={<RotateCw aria-hidden />} className="mt-2">
          {retryLabel}
        </Button>
      )}
    </div>
  )
}
