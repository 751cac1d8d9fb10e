import { expect, test } from 'vitest'
import { referencePattern, typedReference } from './references'

test.each([
  ['Hello @@', { part: 'name', from: 6, text: '' }],
  ['@@gre', { part: 'name', from: 0, text: 'gre' }],
  ['@@@support/gre', { part: 'name', from: 0, text: 'support/gre' }],
  ['x @@@langfusePrompt:name=a b', { part: 'name', from: 2, text: 'a b' }],
  ['@@@langfusePrompt:', { part: 'name', from: 0, text: '' }],
  ['@@@langfusePrompt:name=a|', { part: 'which', from: 0, name: 'a', text: '' }],
  ['@@@langfusePrompt:name=a|label=pro', { part: 'which', from: 0, name: 'a', text: 'label=pro' }],
  ['@@@langfusePrompt:name=a|version=1@@@', undefined],
  ['@@@langfusePrompt:name=a|version=1@@@ and @@b', { part: 'name', from: 42, text: 'b' }],
  ['ada@example.com', undefined],
  ['@ada', undefined],
  ['@@ and then', undefined],
])('%s', (line, typed) => expect(typedReference(line)).toEqual(typed))

test('whole references are marked, malformed ones are text', () => {
  const found = (text: string) => Array.from(text.matchAll(referencePattern), ([all]) => all)
  const one = '@@@langfusePrompt:name=a/b c|label=prod.x_y-z@@@'
  expect(found(`${one} @@@langfusePrompt:name=a@@@ ${one}`)).toEqual([one, one])
})
