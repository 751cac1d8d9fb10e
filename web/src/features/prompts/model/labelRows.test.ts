import { expect, test } from 'vitest'
import { labelRows } from './labelRows'

test('labels that no prompt has are listed while they are protected', () => {
  const labels = [{ label: 'staging', prompts: 2, protected: false }]
  expect(labelRows({ labels, protected: ['production'], tags: [] })).toEqual([
    { label: 'production', prompts: 0, isProtected: true },
    { label: 'staging', prompts: 2, isProtected: false },
  ])
})
