import { expect, test } from 'vitest'
import { keyAction } from './keys'

const press = (key: string, more: Partial<KeyboardEvent> = {}, isInTree = false) =>
  keyAction(
    { key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...more },
    isInTree,
  )

test.each([
  ['j', {}, false, { do: 'move', by: 1 }],
  ['ArrowDown', {}, true, { do: 'move', by: 1 }],
  ['ArrowDown', {}, false, undefined],
  ['3', {}, false, { do: 'level', level: 3 }],
  ['E', { shiftKey: true }, false, { do: 'error', step: -1 }],
  ['f', { ctrlKey: true }, false, { do: 'find' }],
  ['F', { metaKey: true }, false, { do: 'find' }],
  ['f', { ctrlKey: true, shiftKey: true }, false, undefined],
  ['j', { ctrlKey: true }, false, undefined],
  ['j', { altKey: true }, false, undefined],
  ['ArrowLeft', { shiftKey: true }, true, { do: 'pan', by: -0.25 }],
  ['q', {}, true, undefined],
] as const)('%s with %j, in the tree %s', (key, more, isInTree, action) =>
  expect(press(key, more, isInTree)).toEqual(action),
)
