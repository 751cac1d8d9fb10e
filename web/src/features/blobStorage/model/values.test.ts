import { expect, test } from 'vitest'
import { blobProblems, blobRequest, toValues } from './values'

const values = { ...toValues(null), bucketName: 'b', region: 'eu-central-1' }

test('S3 may use the credentials of the host, others need theirs', () => {
  expect(blobProblems(values, false)).toEqual({})
  expect(blobProblems({ ...values, accessKeyId: 'a' }, false).secretAccessKey).toBe(
    'Enter the secret',
  )
  expect(blobProblems({ ...values, accessKeyId: 'a' }, true).secretAccessKey).toBeUndefined()
  expect(blobProblems({ ...values, type: 'S3_COMPATIBLE' }, false)).toMatchObject({
    endpoint: 'Enter the address of the storage',
    accessKeyId: 'Enter the key',
  })
})

test('a secret that was not typed is left out, and kept', () => {
  expect(blobRequest('p', values)).not.toHaveProperty('secretAccessKey')
  expect(blobRequest('p', { ...values, secretAccessKey: 's' }).secretAccessKey).toBe('s')
})

test('dates and prefixes', () => {
  const dated = { ...values, exportMode: 'FROM_CUSTOM_DATE' as const }
  expect(blobProblems(dated, false).exportStartDate).toBe('Enter a date')
  expect(blobRequest('p', { ...dated, exportStartDate: '2026-01-02' }).exportStartDate).toBe(
    '2026-01-02T00:00:00.000Z',
  )
  expect(blobProblems({ ...values, prefix: 'a' }, false).prefix).toBe('Must end with a slash')
})
