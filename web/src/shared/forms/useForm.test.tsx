import { act, renderHook } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '@/shared/api'
import { useForm } from './useForm'

const initial = { name: '', note: 'kept' }
const check = (values: typeof initial) => ({
  name: values.name === '' ? 'Enter a name' : undefined,
})

test('problems are shown from the first try on, and nothing is sent', () => {
  const send = vi.fn()
  const { result } = renderHook(() => useForm({ initial, check }))
  expect(result.current.field('name').error).toBeUndefined()
  act(() => result.current.submit(send))
  expect(result.current.field('name').error).toBe('Enter a name')
  expect(send).not.toHaveBeenCalled()
  act(() => result.current.field('name').onChange('Ada'))
  expect(result.current.field('name').error).toBeUndefined()
  act(() => result.current.submit(send))
  expect(send).toHaveBeenCalledWith({ name: 'Ada', note: 'kept' })
})

test('what the server says stands at its field until it is changed; the input stays', () => {
  const refused = new ApiError(400, 'invalid', 'Invalid request', [
    { path: ['name'], message: 'is taken' },
    { path: ['name', 'first'], message: 'is odd' },
  ])
  const { result } = renderHook(() => useForm({ initial: { name: 'Ada' }, error: refused }))
  expect(result.current.field('name').error).toBe('is taken; first: is odd')
  expect(result.current.error).toBeUndefined()
  act(() => result.current.field('name').onChange('Adb'))
  expect(result.current.field('name').error).toBeUndefined()
  expect(result.current.values.name).toBe('Adb')
  act(() => result.current.submit(() => undefined))
  expect(result.current.field('name').error).toBeUndefined()
})

test('what the server says about no field stands for itself', () => {
  const refused = new ApiError(409, 'conflict', 'The last owner keeps their role.')
  const { result } = renderHook(() => useForm({ initial, error: refused }))
  expect(result.current.error).toBe('The last owner keeps their role.')
  expect(renderHook(() => useForm({ initial, error: null })).result.current.error).toBeUndefined()
})

test('a second refusal of the same field is shown, too', () => {
  const refusal = () =>
    new ApiError(400, 'invalid', 'Invalid request', [{ path: ['name'], message: 'is taken' }])
  const { result, rerender } = renderHook(
    ({ error }) => useForm({ initial: { name: 'Ada' }, error }),
    { initialProps: { error: refusal() } },
  )
  act(() => result.current.field('name').onChange('Adb'))
  expect(result.current.field('name').error).toBeUndefined()
  rerender({ error: refusal() })
  expect(result.current.field('name').error).toBe('is taken')
})
