import { formatExact } from '@/shared/lib/format'
import type { Model } from '../api/useModels'
import { operators } from './draft'

type Condition = Model['pricingTiers'][number]['conditions'][number]

/** A condition in words: "input > 200,000", "metadata plan is a or b". */
export function describeCondition(condition: Condition): string {
  if ('source' in condition) {
    const source = condition.source === 'metadata' ? 'metadata' : 'parameter'
    return `${source} ${condition.key} is ${condition.values.join(' or ')}`
  }
  const sign = operators.find((operator) => operator.id === condition.operator)?.label
  return `${condition.usageDetailPattern} ${sign ?? condition.operator} ${formatExact(condition.value)}`
}
