import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { ComponentProps } from 'react'
import { modePreference } from './model/modes'
import { Value } from './Value'

function show(props: ComponentProps<typeof Value>) {
  return render(
    <QueryClientProvider client={new QueryClient()}>
      <Value {...props} />
    </QueryClientProvider>,
  )
}

const chat = JSON.stringify([
  { role: 'user', content: 'What is **new**?' },
  {
    role: 'assistant',
    reasoning_content: 'Let me look.',
    tool_calls: [{ id: 'c1', function: { name: 'look', arguments: '{"at":"sky"}' } }],
  },
  { role: 'tool', tool_call_id: 'c1', content: 'blue' },
  { surprise: true },
])

describe('Value', () => {
  it('shows a conversation with calls next to their results, and what nobody knows as it is', () => {
    show({ text: chat, field: 'input' })
    const messages = within(screen.getByRole('list', { name: 'Messages' }))
    expect(messages.getAllByRole('listitem')).toHaveLength(3)
    expect(messages.getByText('new').tagName).toBe('STRONG')
    const call = messages.getByText('look').closest('li')
    expect(call?.textContent).toContain('blue')
    expect(messages.getByText(/"surprise": true/)).toBeTruthy()
    expect(messages.getByText(/Thinking/).closest('details')?.open).toBe(false)
  })

  it('remembers for each kind of field how values are shown', async () => {
    const user = userEvent.setup()
    const { unmount } = show({ text: chat, field: 'output' })
    await user.click(screen.getByRole('radio', { name: 'Raw' }))
    expect(screen.getByLabelText('Output', { selector: 'pre' }).textContent).toBe(chat)
    unmount()
    show({ text: '{"a":1}', field: 'output' })
    expect(screen.getByRole('radio', { name: 'Raw' }).getAttribute('aria-checked')).toBe('true')
    expect(modePreference('input').get()).toBe('formatted')
    modePreference('output').set('formatted')
  })

  it('opens a string that is too long for a row by itself, whole', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const user = userEvent.setup()
    const long = 'a"b'.repeat(20_000)
    show({ text: JSON.stringify({ long, short: 'c'.repeat(700) }), field: 'metadata' })
    const tree = screen.getByRole('tree', { name: 'Metadata' })
    await user.click(within(tree).getByRole('button', { name: 'show all 700 characters' }))
    expect(within(tree).getByText('c'.repeat(700))).toBeTruthy()
    await user.click(within(tree).getByRole('button', { name: 'show all 80,000 characters' }))
    expect(tree.textContent.length).toBeLessThan(5_000)
    const dialog = within(screen.getByRole('dialog', { name: 'Metadata: $.long' }))
    await user.click(dialog.getByRole('button', { name: 'Copy the text' }))
    expect(await navigator.clipboard.readText()).toBe(long)
  })

  it('shows JSON as a tree that arrows walk through', async () => {
    // There is no layout in tests; as much as fits is shown.
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const user = userEvent.setup()
    show({ text: '{"big":12345678901234567890,"word":"\\u5f53","list":[1,2]}', field: 'metadata' })
    const tree = screen.getByRole('tree', { name: 'Metadata' })
    expect(tree.textContent).toContain('12345678901234567890')
    expect(tree.textContent).toContain('当')
    expect(within(tree).getAllByRole('treeitem')).toHaveLength(6)
    tree.focus()
    await user.keyboard('{End}{ArrowLeft}{ArrowLeft}')
    expect(within(tree).getAllByRole('treeitem')).toHaveLength(4)
    expect(screen.getByText('$.list')).toBeTruthy()
    await user.type(screen.getByRole('searchbox', { name: 'Search Metadata' }), '当')
    expect(screen.getByRole('status').textContent).toBe('1 of 1')
  })

  it('shows all of a long text in a tree by keys', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const user = userEvent.setup()
    show({ text: JSON.stringify({ long: `${'x'.repeat(1000)} the end` }), field: 'metadata' })
    const tree = screen.getByRole('tree', { name: 'Metadata' })
    expect(tree.textContent).toContain('show all 1,008 characters')
    tree.focus()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(tree.textContent).toContain('the end')
  })

  it('shows what is not JSON as text, and says what was shortened', async () => {
    const onLoadRest = vi.fn()
    const user = userEvent.setup()
    show({ text: '{"a": oops', field: 'input', size: 20_000_000, onLoadRest })
    expect(screen.getByText('{"a": oops')).toBeTruthy()
    expect(screen.getByText(/Shortened: 10 B of 20 MB/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Load the rest' }))
    expect(onLoadRest).toHaveBeenCalledOnce()
  })

  it('makes no element of hostile text, and asks nothing of anybody', () => {
    const { container } = show({
      field: 'input',
      text: [
        '<img src=x onerror=alert(1)><script>alert(2)</script>',
        '',
        '[click](javascript:alert(3)) [data](data:text/html,x) [rel](/settings) [ok](https://example.com/a)',
        '',
        '![pixel](https://evil.example/pixel.png)',
        '',
        '<iframe src="https://evil.example"></iframe>',
      ].join('\n'),
    })
    expect(container.querySelector('img, script, iframe')).toBeNull()
    const links = [...container.querySelectorAll('a')].map((link) => [link.href, link.rel])
    expect(links).toEqual([
      ['https://example.com/a', 'noopener noreferrer'],
      ['https://evil.example/pixel.png', 'noopener noreferrer'],
    ])
    expect(container.textContent).toContain('<script>alert(2)</script>')
    expect(container.textContent).toContain('[click](javascript:alert(3))')
  })

  it('copies the whole text, even if only its beginning is shown', async () => {
    const user = userEvent.setup()
    const loadWhole = vi.fn(() => Promise.resolve('the whole text'))
    show({ text: 'the whole', size: 14, field: 'input', loadWhole })
    await user.click(screen.getByRole('button', { name: 'Copy input as stored' }))
    await screen.findByRole('button', { name: 'Copied' })
    expect(await navigator.clipboard.readText()).toBe('the whole text')
  })

  it('says so where it can only copy the beginning', () => {
    show({ text: 'the whole', size: 14, field: 'input' })
    screen.getByRole('button', { name: 'Copy the shown part of input' })
  })

  it('says in the tree, too, where it can only copy a part', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const user = userEvent.setup()
    show({ text: '{"a":{"b":1},"c":"the begi', size: 100, field: 'metadata' })
    const tree = screen.getByRole('tree', { name: 'Metadata' })
    screen.getByRole('button', { name: 'Copy the shown part of the value' })
    tree.focus()
    await user.keyboard('{ArrowDown}')
    screen.getByRole('button', { name: 'Copy value as stored' })
    await user.keyboard('{End}')
    screen.getByRole('button', { name: 'Copy the shown part of the value' })
  })

  it('says when the code that reads long JSON did not arrive', async () => {
    class Missing extends EventTarget {
      postMessage() {
        queueMicrotask(() => this.dispatchEvent(new Event('error')))
      }
      terminate() {}
    }
    vi.stubGlobal('Worker', Missing)
    modePreference('output').set('json')
    show({ text: JSON.stringify({ long: 'x'.repeat(300_000) }), field: 'output' })
    await screen.findByRole('button', { name: 'Reload' })
    expect(screen.queryByText(/Reading/)).toBeNull()
  })

  it('copies a value of a shortened tree whole, and says so while it loads', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const user = userEvent.setup()
    // The one of the tests does not wait for its text.
    vi.stubGlobal('ClipboardItem', undefined)
    const whole = '{"a":{"b":1},"c":"the beginning and the end"}'
    let arrive: (text: string) => void = () => undefined
    const loading = new Promise<string>((resolve) => (arrive = resolve))
    show({
      text: whole.slice(0, 27),
      size: whole.length,
      field: 'metadata',
      loadWhole: () => loading,
    })
    const tree = screen.getByRole('tree', { name: 'Metadata' })
    tree.focus()
    await user.keyboard('{End}')
    expect(screen.getByText('$.c')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Copy value as stored' }))
    expect(screen.getByText('Loading all of it')).toBeTruthy()
    arrive(whole)
    await screen.findByRole('button', { name: 'Copied' })
    expect(await navigator.clipboard.readText()).toBe('"the beginning and the end"')
  })

  it('searches all of a shortened value, and stays where it is', async () => {
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(400)
    const user = userEvent.setup()
    const whole = '{"a":"needle","b":"another needle","c":[{"d":"needle"}]}'
    const onLoadRest = vi.fn()
    const client = new QueryClient()
    const view = (props: Partial<ComponentProps<typeof Value>>) => (
      <QueryClientProvider client={client}>
        <Value text={whole.slice(0, 16)} size={whole.length} field="metadata" {...props} />
      </QueryClientProvider>
    )
    const { rerender } = render(view({ onLoadRest }))
    const field = screen.getByRole('searchbox', { name: 'Search Metadata' })
    await user.type(field, 'needle')
    expect(onLoadRest).toHaveBeenCalledOnce()
    expect(screen.getByRole('status').textContent).toBe('1 of 1 in the shown part')
    rerender(view({ onLoadRest, isLoadingRest: true }))
    expect(screen.getByRole('status').textContent).toBe('1 of 1, loading the rest')
    rerender(view({ text: whole, size: undefined }))
    expect(screen.getByRole('status').textContent).toBe('1 of 3')
    expect(document.activeElement).toBe(field)
  })

  it('completes a shortened conversation by itself, unless it is huge', () => {
    const onLoadRest = vi.fn()
    const beginning = '[{"role":"user","content":"the old'
    const { unmount } = show({ text: beginning, size: 100_000, field: 'input', onLoadRest })
    expect(onLoadRest).toHaveBeenCalledOnce()
    unmount()
    show({ text: beginning, size: 100_000_000, field: 'input', onLoadRest })
    expect(onLoadRest).toHaveBeenCalledOnce()
    expect(screen.getByText(/the newest are in the rest/)).toBeTruthy()
  })

  it('shows the newest messages of a long conversation, and what the model was told', async () => {
    const user = userEvent.setup()
    const messages = Array.from({ length: 120 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `message ${at}`,
    }))
    show({
      text: JSON.stringify([{ role: 'system', content: 'Be kind.' }, ...messages]),
      field: 'input',
    })
    expect(screen.getByText('Be kind.')).toBeTruthy()
    expect(screen.queryByText('message 0')).toBeNull()
    expect(screen.queryByText('message 69')).toBeNull()
    expect(screen.getByText('message 70')).toBeTruthy()
    expect(screen.getByText('message 119')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Show 70 earlier messages' }))
    expect(screen.getByText('message 0')).toBeTruthy()
  })
})
