import { formatMoney } from '@/shared/lib/format'

/** US dollars with enough digits to be non-zero. */
export function Money({ amount }: { amount: number | null | undefined }) {
  if (amount === null || amount === undefined) return <span className="text-text-3">–</span>
  return <span className="tabular whitespace-nowrap">{formatMoney(amount)}</span>
}
