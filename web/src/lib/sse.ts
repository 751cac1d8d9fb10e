/** An event that a server sent. */
export type ServerEvent = { id: string; name: string; data: string }

/**
 * Reads server-sent events out of text that comes in pieces. The ids of blocks without data count, too: they say up to where
 * everything has come.
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

/** The events of an answer, until it ends. Those without a name are signs of life. */
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
