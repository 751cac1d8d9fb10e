import { expect, test } from 'vitest'
import { deleteAll } from './deleteAll'

test('what is referred to is deleted after what refers to it', async () => {
  const there = new Set(['base', 'middle', 'top'])
  const users: Record<string, string> = { base: 'middle', middle: 'top' }
  const seen: number[] = []
  const result = await deleteAll(
    ['base', 'middle', 'top'],
    async (name) => {
      if (there.has(users[name] ?? '')) throw new Error(`${name} is used`)
      there.delete(name)
    },
    (count) => seen.push(count),
  )
  expect(result).toEqual({ deleted: ['top', 'middle', 'base'], failed: [] })
  expect(seen).toEqual([1, 2, 3])
})

test('what cannot be deleted is said, and tried no longer than it helps', async () => {
  const asked: string[] = []
  const result = await deleteAll(['a', 'b'], async (name) => {
    asked.push(name)
    if (name === 'a') throw new Error('used elsewhere')
  })
  expect(result.deleted).toEqual(['b'])
  expect(result.failed.map(({ name }) => name)).toEqual(['a'])
  expect(asked).toEqual(['a', 'b', 'a'])
})
