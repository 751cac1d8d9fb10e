import { expect, test } from 'vitest'
import type { Model } from '../api/useModels'
import {
  draftProblems,
  emptyDraft,
  escapePattern,
  newTier,
  perMillion,
  toDraft,
  toRequest,
} from './draft'

const model: Model = {
  id: 'm1',
  createdAt: '2026-01-01T00:00:00.000Z',
  modelName: 'gpt-x',
  matchPattern: '(?i)^gpt-x$',
  startDate: '2026-02-01T00:00:00.000Z',
  tokenizerId: null,
  tokenizerConfig: null,
  unit: 'TOKENS',
  inputPrice: 0.0000025,
  outputPrice: 0.00001,
  totalPrice: null,
  prices: {},
  isLangfuseManaged: false,
  pricingTiers: [
    {
      id: 't2',
      name: 'Long context',
      isDefault: false,
      priority: 1,
      conditions: [
        { usageDetailPattern: 'input', operator: 'gt', value: 200000, caseSensitive: true },
        { source: 'metadata', key: 'plan', operator: 'in', values: ['a', 'b'] },
      ],
      prices: { input: 0.000005, output: 0.00002 },
    },
    {
      id: 't1',
      name: 'Standard',
      isDefault: true,
      priority: 0,
      conditions: [],
      prices: { input: 0.0000025, output: 0.00001 },
    },
  ],
}

test('a definition comes back as it was', () => {
  const draft = toDraft(model)
  expect(draft.pricingTiers.map((tier) => tier.name)).toEqual(['Standard', 'Long context'])
  expect(draft.pricingTiers[0]?.prices.map((price) => price.perMillion)).toEqual(['2.5', '10'])
  expect(draftProblems(draft)).toEqual({})
  expect(toRequest(draft)).toEqual({
    modelName: 'gpt-x',
    matchPattern: '(?i)^gpt-x$',
    unit: 'TOKENS',
    startDate: '2026-02-01T00:00:00.000Z',
    pricingTiers: [
      {
        name: 'Standard',
        isDefault: true,
        priority: 0,
        conditions: [],
        prices: { input: 0.0000025, output: 0.00001 },
      },
      {
        name: 'Long context',
        isDefault: false,
        priority: 1,
        conditions: [
          { usageDetailPattern: 'input', operator: 'gt', value: 200000, caseSensitive: true },
          { source: 'metadata', key: 'plan', operator: 'in', values: ['a', 'b'] },
        ],
        prices: { input: 0.000005, output: 0.00002 },
      },
    ],
  })
})

test('prices keep the digits that were typed', () => {
  expect(perMillion(0.00000015)).toBe('0.15')
  expect(perMillion(0.0000000375)).toBe('0.0375')
  const draft = emptyDraft('x')
  const [tier] = draft.pricingTiers
  if (!tier) throw new Error('no tier')
  const prices = tier.prices.map((price) => ({ ...price, perMillion: '0.15' }))
  expect(
    toRequest({ ...draft, pricingTiers: [{ ...tier, prices }] }).pricingTiers?.[0]?.prices,
  ).toEqual({ input: 1.5e-7, output: 1.5e-7 })
})

test('a new definition matches the name that it was made for, and nothing else', () => {
  expect(emptyDraft('a.b (c)').matchPattern).toBe(String.raw`(?i)^a\.b \(c\)$`)
  expect(escapePattern('x+y')).toBe(String.raw`x\+y`)
})

test('problems are named', () => {
  const draft = toDraft(model)
  const tiers = (change: (tier: (typeof draft.pricingTiers)[number]) => object) =>
    draftProblems({
      ...draft,
      pricingTiers: draft.pricingTiers.map((tier) => ({ ...tier, ...change(tier) })),
    }).pricingTiers
  expect(draftProblems(emptyDraft('')).modelName).toBe('Enter a name')
  expect(tiers(() => ({ name: 'Same' }))).toBe('Two tiers are called Same')
  expect(tiers(() => ({ prices: [] }))).toBe('Standard has no prices')
  expect(
    tiers((tier) => ({ prices: tier.prices.map((each) => ({ ...each, perMillion: 'x' })) })),
  ).toBe('The price of input in Standard is not a number')
  expect(tiers(() => ({ conditions: [] }))).toBe('Long context needs a condition')
  const added = newTier(draft.pricingTiers[0], 'Batch')
  expect(
    draftProblems({ ...draft, pricingTiers: [...draft.pricingTiers, added] }).pricingTiers,
  ).toBe('The price of input in Batch is not a number')
})
