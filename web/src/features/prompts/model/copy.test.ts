import { expect, test } from 'vitest'
import { copyRequest, firstForm } from './copy'

test('a prompt is copied beside itself at first, without its labels', () => {
  const source = { kind: 'prompt', name: 'a/b' } as const
  expect(copyRequest(source, firstForm(source, 'p1'), 'p1', false)).toEqual({
    name: 'a/b',
    to: 'a/b-copy',
    versions: 'latest',
    labels: 'drop',
    rewriteReferences: false,
    dryRun: false,
  })
})

test('a folder goes to another project with references among its prompts', () => {
  const source = { kind: 'folder', name: 'a' } as const
  const form = { ...firstForm(source, 'p1'), to: ' a ', target: 'p2', versions: 'all' as const }
  expect(copyRequest(source, form, 'p1', true)).toEqual({
    folder: 'a',
    to: 'a',
    versions: 'all',
    labels: 'drop',
    targetProjectId: 'p2',
    rewriteReferences: true,
    dryRun: true,
  })
})
