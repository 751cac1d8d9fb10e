import { expect, test } from 'vitest'
import { describeStatus, failureTitle, isBusy } from './status'

const stored = {
  syncStatus: 'up_to_date' as const,
  enabled: true,
  progress: null,
  nextSyncAt: '2026-01-02T00:00:00.000Z',
  lastError: null,
}

test('an export that was just saved is about to run', () => {
  const saved = { ...stored, syncStatus: 'idle' as const, nextSyncAt: null }
  expect(describeStatus(saved).label).toBe('About to run')
  expect(isBusy(saved)).toBe(true)
  expect(isBusy(stored)).toBe(false)
})

test('an attempt after a failure is shown as running', () => {
  const failed = { ...stored, syncStatus: 'error' as const, lastError: 'no bucket' }
  expect(describeStatus(failed).label).toBe('Failed')
  expect(failureTitle(failed)).toBe('The last run failed and will be retried')
  const again = { ...failed, progress: { rows: 1, bytes: 2 } }
  expect(describeStatus(again).label).toBe('Running')
  expect(isBusy(again)).toBe(true)
  expect(failureTitle(again)).toBe('The last run failed; this one is the next attempt')
})

test('an export that failed and is not enabled says both', () => {
  const off = { ...stored, syncStatus: 'disabled' as const, enabled: false, nextSyncAt: null }
  expect(describeStatus(off)).toEqual({ label: 'Not enabled', tone: 'neutral' })
  expect(describeStatus({ ...off, lastError: 'no bucket' }).label).toBe('Failed, not enabled')
})
