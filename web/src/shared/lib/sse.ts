/** A server-sent event. */
export type ServerEvent = { id: string; name: string; data: string }

/**
 * Parses server-sent events from text that arrives in chunks. The ids of blocks without data count as well: they tell
 * up to where everything has arrived.
 */
export function createEventReader(): (piece: string) => ServerEvent[] {
  let rest = ''
  let id = ''
  return (piece) => {
    const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n')
    rest = blocks.pop() ?? ''
    return blocks.map((block) => {
      let name = ''
      const data: string[] = []
      for (const line of block.split('\n')) {
        const at = line.indexOf(':')
        const field = at < 0 ? line : line.slice(0, at)
        const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '')
        if (field === 'id') id = value
        else if (field === 'event') name = value
        else if (field === 'data') data.push(value)
      }
      return { id, name: data.length === 0 ? '' : name || 'message', data: data.join('\n') }
    })
  }
}

/** The events of a response, until it ends. Those without a name are keep-alives. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const read = createEventReader()
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      yield* read(value)
    }
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}
