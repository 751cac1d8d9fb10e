import { expect, onTestFinished, test, vi } from 'vitest'
import { zonePreference } from '@/shared/lib/preferences'
import { readMoment, writeMoment } from './scalars'

function inBerlin() {
  vi.stubEnv('TZ', 'Europe/Berlin')
  onTestFinished(() => void vi.unstubAllEnvs())
}

test('a day is one of the zone that times are shown in', () => {
  inBerlin()
  expect(readMoment('2026-11-01')).toBe('2026-10-31T23:00:00.000Z')
  expect(readMoment('2026-11-01 09:30')).toBe('2026-11-01T08:30:00.000Z')
  zonePreference.set('utc')
  onTestFinished(() => zonePreference.set('local'))
  expect(readMoment('2026-11-01')).toBe('2026-11-01T00:00:00.000Z')
  expect(readMoment('2026-11-01 09:30:05')).toBe('2026-11-01T09:30:05.000Z')
  expect(readMoment('2026-11-01 09:30+02:00')).toBe('2026-11-01T07:30:00.000Z')
})

test.each(['2026-02-30', '2026-11-01 24:00', '2026-13-01', 'soon'])('%s is no time', (text) =>
  expect(readMoment(text)).toBeUndefined(),
)

test.each([
  ['2026-10-31T23:00:00.000Z', '2026-11-01'],
  ['2026-11-01T08:30:00.000Z', '2026-11-01T09:30'],
  ['2026-11-01T08:30:05.000Z', '2026-11-01T09:30:05'],
  ['2026-11-01T08:30:05.250Z', '2026-11-01T08:30:05.250Z'],
  // Half past two comes twice in this night.
  ['2026-10-25T00:30:00.000Z', '2026-10-25T02:30'],
  ['2026-10-25T01:30:00.000Z', '2026-10-25T01:30:00.000Z'],
])('%s is written as %s', (iso, want) => {
  inBerlin()
  expect(writeMoment(iso)).toBe(want)
  expect(readMoment(want)).toBe(iso)
})
