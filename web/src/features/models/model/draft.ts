import type { Model, NewModel } from '../api/useModels'

/** A definition as edited in the form: everything is text, prices are in dollars per million units. */
export type Draft = {
  modelName: string
  matchPattern: string
  unit: NonNullable<Model['unit']>
  startDate: string
  pricingTiers: TierDraft[]
}

export type TierDraft = {
  /** Identifies the tier while it is edited. */
  key: string
  name: string
  conditions: ConditionDraft[]
  prices: PriceDraft[]
}

export type PriceDraft = { key: string; usage: string; perMillion: string }

export type ConditionDraft = {
  key: string
  kind: 'usage' | 'model_parameters' | 'metadata'
  /** The pattern of usage types, or the name of the parameter or metadata key. */
  subject: string
  operator: Operator
  /** A number, or values separated by commas. */
  value: string
  caseSensitive: boolean
}

export type Operator = 'gt' | 'gte' | 'lt' | 'lte' | 'eq' | 'neq'

export const units = [
  { id: 'TOKENS', label: 'Tokens' },
  { id: 'CHARACTERS', label: 'Characters' },
  { id: 'REQUESTS', label: 'Requests' },
  { id: 'IMAGES', label: 'Images' },
  { id: 'SECONDS', label: 'Seconds' },
  { id: 'MILLISECONDS', label: 'Milliseconds' },
] as const

export const operators: readonly { id: Operator; label: string }[] = [
  { id: 'gt', label: '>' },
  { id: 'gte', label: '≥' },
  { id: 'lt', label: '<' },
  { id: 'lte', label: '≤' },
  { id: 'eq', label: '=' },
  { id: 'neq', label: '≠' },
]

export const conditionKinds = [
  { id: 'usage', label: 'Usage' },
  { id: 'model_parameters', label: 'Model parameter' },
  { id: 'metadata', label: 'Metadata' },
] as const

let count = 0
export function newKey(): string {
  count += 1
  return String(count)
}

export function newPrice(usage = '', perMillion = ''): PriceDraft {
  return { key: newKey(), usage, perMillion }
}

export function newCondition(): ConditionDraft {
  return {
    key: newKey(),
    kind: 'usage',
    subject: 'input',
    operator: 'gt',
    value: '',
    caseSensitive: false,
  }
}

/** An additional tier, with prices for the same usage types. */
export function newTier(like: TierDraft | undefined, name: string): TierDraft {
  const prices = like?.prices.map((price) => newPrice(price.usage)) ?? [newPrice('input')]
  return { key: newKey(), name, conditions: [newCondition()], prices }
}

/** An empty definition; `modelName` is a name that it should match. */
export function emptyDraft(modelName: string): Draft {
  return {
    modelName,
    matchPattern: modelName === '' ? '' : `(?i)^${escapePattern(modelName)}$`,
    unit: 'TOKENS',
    startDate: '',
    pricingTiers: [
      {
        key: newKey(),
        name: 'Standard',
        conditions: [],
        prices: [newPrice('input'), newPrice('output')],
      },
    ],
  }
}

/** The definition as a draft; the default tier comes first, the others by priority. */
export function toDraft(model: Model): Draft {
  const tiers = model.pricingTiers.toSorted(
    (a, b) => Number(b.isDefault) - Number(a.isDefault) || a.priority - b.priority,
  )
  return {
    modelName: model.modelName,
    matchPattern: model.matchPattern,
    unit: model.unit ?? 'TOKENS',
    startDate: model.startDate?.slice(0, 10) ?? '',
    pricingTiers: tiers.map((tier) => ({
      key: newKey(),
      name: tier.name,
      conditions: tier.conditions.map((condition): ConditionDraft =>
        'source' in condition
          ? {
              key: newKey(),
              kind: condition.source,
              subject: condition.key,
              operator: 'eq',
              value: condition.values.join(', '),
              caseSensitive: false,
            }
          : {
              key: newKey(),
              kind: 'usage',
              subject: condition.usageDetailPattern,
              operator: condition.operator,
              value: String(condition.value),
              caseSensitive: condition.caseSensitive,
            },
      ),
      prices: Object.entries(tier.prices).map(([usage, price]) =>
        newPrice(usage, perMillion(price)),
      ),
    })),
  }
}

/** What is wrong with the form, by field; for tiers, only the first problem. */
export function draftProblems(draft: Draft): Partial<Record<keyof Draft, string>> {
  return {
    modelName: draft.modelName.trim() === '' ? 'Enter a name' : undefined,
    matchPattern:
      draft.matchPattern.trim() === '' ? 'Enter a pattern, such as (?i)^my-model$' : undefined,
    pricingTiers: draft.pricingTiers
      .map((tier, index) => tierProblem(tier, index, draft.pricingTiers))
      .find((problem) => problem !== undefined),
  }
}

function tierProblem(tier: TierDraft, index: number, all: TierDraft[]): string | undefined {
  const name = tier.name.trim()
  if (name === '') return 'Every tier needs a name'
  if (all.some((other, at) => at < index && other.name.trim() === name))
    return `Two tiers are called ${name}`
  if (tier.prices.length === 0) return `${name} has no prices`
  const usages = tier.prices.map((price) => price.usage.trim())
  if (usages.includes('')) return `A price in ${name} has no usage type`
  if (new Set(usages).size < usages.length) return `${name} has two prices for the same usage`
  const wrong = tier.prices.find((price) => !isNumber(price.perMillion))
  if (wrong) return `The price of ${wrong.usage} in ${name} is not a number`
  if (index > 0 && tier.conditions.length === 0) return `${name} needs a condition`
  for (const condition of tier.conditions) {
    if (condition.subject.trim() === '' || condition.value.trim() === '')
      return `A condition of ${name} is not complete`
    if (condition.kind === 'usage' && !isNumber(condition.value))
      return `A condition of ${name} compares usage with something that is not a number`
  }
  return undefined
}

/** The definition as the server takes it. */
export function toRequest(draft: Draft): NewModel {
  return {
    modelName: draft.modelName.trim(),
    matchPattern: draft.matchPattern.trim(),
    unit: draft.unit,
    startDate: draft.startDate === '' ? null : `${draft.startDate}T00:00:00.000Z`,
    pricingTiers: draft.pricingTiers.map((tier, index) => ({
      name: tier.name.trim(),
      isDefault: index === 0,
      priority: index,
      conditions: index === 0 ? [] : tier.conditions.map(toCondition),
      prices: Object.fromEntries(
        tier.prices.map((price) => [price.usage.trim(), perUnit(price.perMillion)]),
      ),
    })),
  }
}

function toCondition(condition: ConditionDraft) {
  if (condition.kind === 'usage') {
    return {
      usageDetailPattern: condition.subject.trim(),
      operator: condition.operator,
      value: Number(condition.value),
      caseSensitive: condition.caseSensitive,
    }
  }
  const values = condition.value
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '')
  return { source: condition.kind, key: condition.subject.trim(), operator: 'in', values } as const
}

/** Dollars per million units, without floating-point noise. */
export function perMillion(price: number): string {
  return String(Number((price * 1e6).toPrecision(12)))
}

/** Appending the exponent keeps the digits as they were typed. */
function perUnit(text: string): number {
  const value = Number(`${text.trim()}e-6`)
  return Number.isNaN(value) ? Number(text) / 1e6 : value
}

function isNumber(text: string): boolean {
  return /^\d*\.?\d+(e-?\d+)?$/i.test(text.trim())
}

export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
