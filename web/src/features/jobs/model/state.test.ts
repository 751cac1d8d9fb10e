import { expect, test } from 'vitest'
import { canRetry, describeJob, describeState, isOpen } from './state'

test('exports that failed or were cancelled can be retried, scheduled ones unless they are disabled', () => {
  const dueAt = '2026-11-18T12:00:00.000Z'
  expect(canRetry({ kind: 'export', state: 'failed', dueAt: null })).toBe(true)
  expect(canRetry({ kind: 'export', state: 'cancelled', dueAt: null })).toBe(true)
  expect(canRetry({ kind: 'export', state: 'done', dueAt: null })).toBe(false)
  expect(canRetry({ kind: 'scheduled-export', state: 'waiting', dueAt })).toBe(true)
  expect(canRetry({ kind: 'scheduled-export', state: 'failed', dueAt: null })).toBe(false)
  expect(canRetry({ kind: 'scheduled-export', state: 'running', dueAt })).toBe(false)
})

test('an experiment is paused where others are scheduled, and can be resumed', () => {
  expect(describeState({ kind: 'experiment', state: 'waiting' }).label).toBe('Paused')
  expect(describeState({ kind: 'scheduled-export', state: 'waiting' }).label).toBe('Scheduled')
  expect(canRetry({ kind: 'experiment', state: 'waiting', dueAt: null })).toBe(true)
  expect(canRetry({ kind: 'experiment', state: 'failed', dueAt: null })).toBe(true)
  expect(canRetry({ kind: 'experiment', state: 'done', dueAt: null })).toBe(false)
})

test('queued and running jobs are open', () => {
  expect(isOpen({ state: 'queued' })).toBe(true)
  expect(isOpen({ state: 'waiting' })).toBe(false)
})

test('a job says what it does', () => {
  expect(describeJob({ kind: 'export', subject: 'dataset_items' })).toBe('Export of dataset items')
  expect(describeJob({ kind: 'experiment', subject: 'night' })).toBe('Experiment night')
  expect(describeJob({ kind: 'scheduled-export', subject: 'lake' })).toBe(
    'Scheduled export to lake',
  )
})
