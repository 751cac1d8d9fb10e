import { formatMoney } from '@/shared/lib/format'

const least = 0.00001

/**
 * US dollars with enough digits to be non-zero. In a narrow place, amounts that need more than five digits are said to be
 * less than what these can say.
 */
export function Money({
  amount,
  isNarrow = false,
}: {
  amount: number | null | undefined
  isNarrow?: boolean
}) {
  if (amount === null || amount === undefined) return <span className="text-text-3">–</span>
  const exact = formatMoney(amount)
  const isTiny = isNarrow && amount > 0 && amount < least
  return (
    <span className="tabular whitespace-nowrap" title={isTiny ? exact : undefined}>
      {isTiny ? `<${formatMoney(least)}` : exact}
    </span>
  )
}
