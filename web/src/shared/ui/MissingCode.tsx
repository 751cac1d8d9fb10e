import { useState } from 'react'
import { reloadIfReachable } from '@/shared/lib/missingCode'
import { ErrorState } from './ErrorState'

/**
 * Replaces what needs code that did not arrive. Failed code stays failed until the page is loaded again, which is only
 * tried once the server answers.
 */
export function MissingCode() {
  const [isAway, setAway] = useState(false)
  return (
    <ErrorState
      title="Couldn’t load part of this page"
      message={
        isAway
          ? 'The server still does not answer. Try again in a moment.'
          : 'The connection was lost, or the server has been updated since you opened this page.'
      }
      onRetry={() => void reloadIfReachable().then((answers) => setAway(!answers))}
      retryLabel="Reload"
    />
  )
}
