import { screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { copyText } from './copyText'
import { toastQueue } from './toast'

const execCommand = vi.fn<(name: string) => boolean>()
Object.assign(document, { execCommand })
afterEach(() => execCommand.mockReset())

function withoutClipboard() {
  vi.stubGlobal('navigator', { userAgent: navigator.userAgent })
}

test('over plain HTTP the text is selected and copied, and the focus stays', async () => {
  withoutClipboard()
  const button = document.createElement('button')
  document.body.append(button)
  button.focus()
  let selected = ''
  execCommand.mockImplementation(() => {
    const field = document.activeElement as HTMLTextAreaElement
    selected = field.value.slice(field.selectionStart, field.selectionEnd)
    return true
  })
  expect(await copyText('sk-lf-1\n2')).toBe(true)
  expect(execCommand).toHaveBeenCalledWith('copy')
  expect(selected).toBe('sk-lf-1\n2')
  expect(document.activeElement).toBe(button)
  expect(document.querySelector('textarea')).toBeNull()
  button.remove()
})

test('a text that has to be loaded is copied when it is there', async () => {
  withoutClipboard()
  execCommand.mockReturnValue(true)
  expect(await copyText(() => Promise.resolve('whole'))).toBe(true)
})

test('what was loaded too late for the browser is copied with another click', async () => {
  withoutClipboard()
  execCommand.mockReturnValue(false)
  expect(await copyText(() => Promise.resolve('whole'))).toBe(false)
  const [{ content }] = toastQueue.visibleToasts as [(typeof toastQueue.visibleToasts)[number]]
  expect(content.title).toBe('All of it is loaded now')
  execCommand.mockReturnValue(true)
  content.action?.onAction()
  await vi.waitFor(() => expect(execCommand).toHaveBeenCalledTimes(2))
  toastQueue.clear()
})

test('what cannot be copied is said', async () => {
  withoutClipboard()
  execCommand.mockReturnValue(false)
  expect(await copyText('x')).toBe(false)
  expect(await copyText(() => Promise.reject(new Error('the server is away')))).toBe(false)
  expect(toastQueue.visibleToasts.length).toBe(2)
  expect(screen.queryByRole('textbox')).toBeNull()
})
