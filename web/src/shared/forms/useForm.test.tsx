import { act, renderHook } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
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

describe('lists', () => {
  const tiers = { tiers: [{ name: 'a' }, { name: 'b' }] }

  test('entries keep their keys while they are added, moved, changed and removed', () => {
    const { result } = renderHook(() => useForm({ initial: tiers }))
    const list = () => result.current.list('tiers')
    const shape = () => list().items.map(({ key, value }) => [key, value.name])
    const [[a], [b]] = shape() as [[number, string], [number, string]]
    act(() => list().add({ name: 'c' }))
    act(() => list().move(2, 0))
    const c = shape()[0]?.[0]
    expect(shape()).toEqual([
      [c, 'c'],
      [a, 'a'],
      [b, 'b'],
    ])
    act(() => list().change(1, { name: 'A' }))
    act(() => list().remove(0))
    expect(shape()).toEqual([
      [a, 'A'],
      [b, 'b'],
    ])
    act(() => list().add({ name: 'd' }))
    expect(new Set(shape().map(([key]) => key)).size).toBe(3)
    expect(shape()[2]?.[0]).not.toBe(c)
  })

  test('what is wrong with an entry stands at its field', () => {
    const refused = new ApiError(400, 'invalid', 'Invalid request', [
      { path: ['tiers', 1, 'name'], message: 'is taken' },
    ])
    const { result } = renderHook(() =>
      useForm({
        initial: tiers,
        check: (values) => ({
          'tiers.0.name': values.tiers[0]?.name === '' ? 'Enter a name' : undefined,
        }),
        error: refused,
      }),
    )
    expect(result.current.list('tiers').errorAt(1, 'name')).toBe('is taken')
    act(() => result.current.list('tiers').change(0, { name: '' }))
    expect(result.current.list('tiers').errorAt(1, 'name')).toBeUndefined()
    act(() => result.current.submit(() => undefined))
    expect(result.current.list('tiers').errorAt(0, 'name')).toBe('Enter a name')
  })
})

test('changes are unsaved until they are sent, and again if that failed', () => {
  const { result, rerender } = renderHook(
    ({ error }: { error?: ApiError }) => useForm({ initial, error }),
    { initialProps: {} },
  )
  expect(result.current.isUnsaved).toBe(false)
  act(() => result.current.field('name').onChange('Ada'))
  expect(result.current.isUnsaved).toBe(true)
  act(() => result.current.tryOut(() => undefined))
  expect(result.current.isUnsaved).toBe(true)
  act(() => result.current.submit(() => undefined))
  expect(result.current.isUnsaved).toBe(false)
  rerender({ error: new ApiError(400, 'invalid', 'No') })
  expect(result.current.isUnsaved).toBe(true)
  act(() => result.current.reset({ name: 'Ada', note: 'kept' }))
  expect(result.current.isUnsaved).toBe(false)
  act(() => result.current.follow({ note: 'by the server' }))
  expect(result.current.isUnsaved).toBe(false)
  expect(result.current.values.note).toBe('by the server')
})
