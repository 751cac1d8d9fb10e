import { sendSpans } from '../client'
import type { Server } from '../server'

const perRequest = 2000
const spanId = (n: number) => (n + 1).toString(16).padStart(16, '0')

/** Sends a trace of `count` observations, seven below each, with the project's API key, as an application does. */
export async function sendLargeTrace(
  to: Pick<Server, 'url' | 'publicKey' | 'secretKey'>,
  traceId: string,
  count: number,
) {
  const start = (Date.now() - 3_600_000) * 1000
  for (let from = 0; from < count; from += perRequest) {
    const size = Math.min(perRequest, count - from)
    const spans = Array.from({ length: size }, (_, index) => {
      const n = from + index
      const lasts = n === 0 ? count * 10 : 5000 // microseconds
      return {
        traceId,
        spanId: spanId(n),
        ...(n > 0 && { parentSpanId: spanId(Math.floor((n - 1) / 7)) }),
        name: `step ${n % 50}`,
        startTimeUnixNano: `${start + n * 10}000`,
        endTimeUnixNano: `${start + n * 10 + lasts}000`,
      }
    })
    await sendSpans(to, spans)
  }
}
