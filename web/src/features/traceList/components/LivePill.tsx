import { ArrowUp, WifiOff } from 'lucide-react'
import { usePreference } from '@/shared/lib/preference'
import { Button } from '@/shared/ui'
import type { Connection } from '../model/live'
import { livePreference } from '../model/livePreference'

type LivePillProps = {
  /** How many rows wait. */
  count: number
  /** Whether there are more than are counted or shown. */
  isMore: boolean
  connection: Connection
  /** Whether new rows can be added at the top in this sort order. */
  canStream: boolean
  onShow: () => void
}

/**
 * The number of rows that have arrived. They wait until the user asks for them, so that nothing moves under the
 * pointer, or stream in.
 */
export function LivePill({ count, isMore, connection, canStream, onShow }: LivePillProps) {
  const isStreaming = usePreference(livePreference) === 'stream' && canStream
  return (
    <span className="flex min-w-0 items-center gap-2 text-sm text-text-3">
      <Button
        size="sm"
        variant={isStreaming ? 'secondary' : 'ghost'}
        aria-pressed={isStreaming}
        isDisabled={!canStream}
        onPress={() => livePreference.set(isStreaming ? 'wait' : 'stream')}
      >
        Stream new data
      </Button>
      <span role="status" className="flex min-w-0 items-center gap-2">
        {count > 0 || isMore ? (
          <Button size="sm" variant="primary" icon={<ArrowUp aria-hidden />} onPress={onShow}>
            {count > 0 ? `${count}${isMore ? '+' : ''} new` : 'Load skipped data'}
          </Button>
        ) : (
          connection.status === 'open' && 'Waiting for new data'
        )}
        {connection.status !== 'open' && <ConnectionState connection={connection} />}
      </span>
    </span>
  )
}

function ConnectionState({ connection }: { connection: Connection }) {
  switch (connection.status) {
    case 'open':
      return null
    case 'connecting':
      return 'Connecting…'
    case 'paused':
      return 'Paused'
    case 'waiting':
    case 'refused':
      return (
        <span className="flex min-w-0 items-center gap-1 text-warning [&_svg]:size-4 [&_svg]:shrink-0">
          <WifiOff aria-hidden />
          <span className="truncate">
            {connection.message}
            {connection.status === 'waiting' && ` Trying again in ${connection.seconds} s.`}
          </span>
        </span>
      )
  }
}
