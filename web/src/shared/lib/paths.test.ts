import { expect, test } from 'vitest'
import { partsOf, projectPath } from './paths'

test('ids are encoded once', () => {
  expect(projectPath('a/b#c', 'traces')).toBe('/project/a%2Fb%23c/traces')
})

test('parameters are no part of a path', () => {
  expect(() => projectPath('p', 'traces/t?observation=o')).toThrow('more than a path')
})

test.each([
  ['/project/a%2Fb%23c/traces', ['project', 'a/b#c', 'traces']],
  // The router decodes some characters of paths and leaves others as they are.
  ['/project/当 %25', ['project', '当 %']],
  ['/project/%E5%BD%93%20%25', ['project', '当 %']],
  ['/project/%252F', ['project', '%2F']],
  // What cannot be decoded is kept unchanged.
  ['traces/100%', ['traces', '100%']],
  ['/', []],
])('the parts of %s', (path, parts) => expect(partsOf(path)).toEqual(parts))
