import { expect, test } from 'vitest'
import { ApiError, toApiError, unwrap } from './error'
import { messageOf } from './messageOf'

test('an error body becomes an ApiError', () => {
  const error = toApiError(400, {
    error: 'invalid_request',
    message: 'Invalid request',
    issues: [{ path: ['name'], message: 'is too long' }],
  })
  expect(error.code).toBe('invalid_request')
  expect(messageOf(error)).toBe('Invalid request: name: is too long')
  expect(toApiError(500, '<html>').message).toBe('The server answered with status 500.')
})

test('issues of the public API are read, too', () => {
  const error = toApiError(400, {
    message: 'Invalid request data',
    error: [{ code: 'too_small', path: ['pricingTiers', 0, 'name'], message: 'is too short' }],
  })
  expect(error.issues).toEqual([{ path: ['pricingTiers', 0, 'name'], message: 'is too short' }])
  expect(error.message).toBe('Invalid request data')
})

test('unwrap returns data, and throws what is no success', async () => {
  expect(await unwrap(Promise.resolve({ data: 1, response: new Response('1') }))).toBe(1)
  const refused = unwrap(
    Promise.resolve({ error: { message: 'no' }, response: new Response('', { status: 403 }) }),
  )
  await expect(refused).rejects.toMatchObject({ status: 403, message: 'no' })
  const lost = unwrap(Promise.reject(new TypeError('Failed to fetch')))
  await expect(lost).rejects.toBeInstanceOf(ApiError)
})
