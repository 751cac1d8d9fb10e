import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model behind an API like OpenAI's, on this machine. It answers the words that it is told, piece by piece. */
export type FakeModel = {
  url: string
  /** The bodies of the requests so far. */
  asked: { model: string; stream?: boolean; messages: { role: string; content: string }[] }[]
  /** How many requests were closed by the client before they had their answer. */
  closed: number
  /** When the first piece of the last answer was sent. */
  sentAt: number
  /**
   * What it answers from now on, to those who want it in one piece after some milliseconds; `hangs` keeps the answer open
   * after the first piece.
   */
  answer: (words: string[], options?: { hangs?: boolean; after?: number }) => void
  stop: () => Promise<void>
}

export async function startFakeModel(): Promise<FakeModel> {
  let words = ['Hello']
  let hangs = false
  let after = 0
  const server = createServer((request, response) => void serve(request, response))
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    let text = ''
    for await (const chunk of request) text += String(chunk)
    const body: FakeModel['asked'][number] = JSON.parse(text)
    model.asked.push(body)
    if (body.stream !== true) {
      await new Promise((done) => setTimeout(done, after))
      const message = { role: 'assistant', content: words.join('') }
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(
        JSON.stringify({
          id: 'c1',
          object: 'chat.completion',
          model: 'gpt-4.1-mini',
          choices: [{ index: 0, message, finish_reason: 'stop' }],
          usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
        }),
      )
      return
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const send = (body: unknown) => response.write(`data: ${JSON.stringify(body)}\n\n`)
    const piece = (delta: object, finish: string | null = null) =>
      send({
        id: 'c1',
        object: 'chat.completion.chunk',
        model: 'gpt-4.1-mini',
        choices: [{ index: 0, delta, finish_reason: finish }],
      })
    response.on('close', () => {
      if (!response.writableEnded) model.closed += 1
    })
    model.sentAt = Date.now()
    for (const word of words) piece({ content: word })
    if (hangs) return
    piece({}, 'stop')
    send({
      id: 'c1',
      model: 'gpt-4.1-mini',
      choices: [],
      usage: { prompt_tokens: 12, completion_tokens: 5, total_tokens: 17 },
    })
    response.end('data: [DONE]\n\n')
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const model: FakeModel = {
    url: `http://127.0.0.1:${port}/v1`,
    asked: [],
    closed: 0,
    sentAt: 0,
    answer: (next, options = {}) => {
      words = next
      hangs = options.hangs ?? false
      after = options.after ?? 0
    },
    stop: () =>
      new Promise((done) => {
        server.closeAllConnections()
        server.close(() => done())
      }),
  }
  return model
}
