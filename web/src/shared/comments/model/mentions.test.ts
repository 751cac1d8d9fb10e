import { expect, test } from 'vitest'
import { fromStored, matching, mentionAt, shown, toStored, withMention } from './mentions'

const ann = { id: 'u1', name: 'Ann' }
const annLee = { id: 'u2', name: 'Ann Lee' }
const jo = { id: 'u3', name: 'Jo [Ops]' }

test.each([
  ['@', 1, { from: 0, query: '' }],
  ['hello @an', 9, { from: 6, query: 'an' }],
  ['hello @an there', 9, { from: 6, query: 'an' }],
  ['hello @an there', 15, undefined],
  ['mail a@b', 8, undefined],
  ['nothing', 7, undefined],
])('what is typed behind an @: %s', (text, caret, want) => {
  expect(mentionAt(text, caret)).toEqual(want)
})

test('members are found by a part of their name, beginnings first', () => {
  expect(matching([jo, annLee, ann], 'an')).toEqual([ann, annLee])
  expect(matching([{ id: 'x', name: 'Ivan' }, ann], 'AN')).toEqual([ann, { id: 'x', name: 'Ivan' }])
  expect(matching([ann], 'zz')).toEqual([])
  expect(matching([ann, annLee, jo], '', 2)).toHaveLength(2)
})

test('a mention is put in the place of what was typed', () => {
  expect(withMention({ text: 'see @an please', mentioned: [] }, 4, 7, ann)).toEqual({
    text: 'see @Ann please',
    mentioned: [ann],
    caret: 9,
  })
})

test('mentions are stored by id, longer names first, and come back', () => {
  const draft = { text: '@Ann Lee and @Ann, not @Bob', mentioned: [ann, annLee] }
  const content = '@[Ann Lee](user:u2) and @[Ann](user:u1), not @Bob'
  expect(toStored(draft)).toBe(content)
  expect(fromStored(content)).toEqual({ text: draft.text, mentioned: [annLee, ann] })
  expect(toStored({ text: 'no @Ann any more', mentioned: [] })).toBe('no @Ann any more')
})

test('names that would end a mention lose what does', () => {
  const { text, mentioned } = withMention({ text: '@', mentioned: [] }, 0, 1, jo)
  expect(toStored({ text, mentioned })).toBe('@[Jo  Ops](user:u3) ')
})

test('mentions are shown by name, whatever it holds', () => {
  expect(shown('hi @[A*b](user:u1) [x](user:u2)')).toBe(String.raw`hi **@A\*b** [x](user:u2)`)
})
