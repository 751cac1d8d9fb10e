import { formatDuration, formatExact, formatMoney } from '@/shared/lib/format'
import type { Answer } from '../model/gather'

/** What an answer took: "132 tokens, $0.0004, 1.2 s, first token after 340 ms". */
export function figuresOf({ tokens, cost, ms, firstTokenMs }: Answer): string {
  const total = tokens?.total ?? (tokens ? tokens.input + tokens.output : 0)
  return [
    total > 0 && `${formatExact(total)} tokens`,
    typeof cost === 'number' ? formatMoney(cost) : cost === null && total > 0 && 'no price',
    ms !== undefined && formatDuration(ms),
    firstTokenMs !== undefined && `first token after ${formatDuration(firstTokenMs)}`,
  ]
    .filter((each) => each !== false)
    .join(', ')
}
