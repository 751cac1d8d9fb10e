import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebSocket } from 'ws'
import { printedUntil } from '../server'
import { end, type Engine, start, viewport } from './engine'

type Message = {
  id?: number
  type: 'success' | 'error' | 'event'
  result?: unknown
  error?: string
  message?: string
  method?: string
  params?: Record<string, unknown>
}

/** Debian's Firefox, driven with WebDriver BiDi, which it speaks without a driver. */
export async function startFirefox(program = '/usr/bin/firefox-esr'): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-firefox-'))
  const profile = join(directory, 'profile')
  const downloads = join(directory, 'downloads')
  mkdirSync(profile)
  mkdirSync(downloads)
  const preferences = {
    'browser.download.dir': downloads,
    'browser.download.folderList': 2, // the directory above
    'browser.download.alwaysOpenPanel': false,
    'intl.accept_languages': 'en-GB',
    'ui.prefersReducedMotion': 1,
  }
  writeFileSync(
    join(profile, 'user.js'),
    Object.entries(preferences)
      .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
      .join(''),
  )
  const child = start(
    program,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'],
    { env: { ...process.env, HOME: directory, TZ: 'UTC' } },
  )
  const printed = await printedUntil(child, /BiDi listening on ws:\S+\n/)
  const socket = new WebSocket(`${/BiDi listening on (ws:\S+)/.exec(printed)?.[1]}/session`)
  await new Promise((opened, failed) => socket.once('open', opened).once('error', failed))

  const waiting = new Map<number, (answer: Message) => void>()
  let problems: string[] = []
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Message
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    const problem = problemOf(message)
    if (problem !== undefined) problems.push(problem)
  })
  let sent = 0
  const send = async <T>(method: string, params: object): Promise<T> => {
    const id = (sent += 1)
    const answer = new Promise<Message>((done) => waiting.set(id, done))
    socket.send(JSON.stringify({ id, method, params }))
    const { type, result, error, message } = await answer
    waiting.delete(id)
    if (type !== 'success') throw new Error(`${method}: ${error}: ${message}`)
    return result as T
  }

  await send('session.new', { capabilities: {} })
  await send('session.subscribe', { events: ['log.entryAdded', 'network.beforeRequestSent'] })
  await send('script.addPreloadScript', { functionDeclaration: String(reportViolations) })
  const { contexts } = await send<{ contexts: { context: string }[] }>(
    'browsingContext.getTree',
    {},
  )
  const context = contexts[0]?.context
  await send('browsingContext.setViewport', { context, viewport })

  const navigate = (url: string) =>
    send<void>('browsingContext.navigate', { context, url, wait: 'complete' })

  return {
    // A page that is just leaving for another address, as after the sign-in, ends our navigation.
    goTo: (url) =>
      navigate(url).catch((error: unknown) => {
        if (!String(error).includes('NS_BINDING_ABORTED')) throw error
        return navigate(url)
      }),
    call: async (source, args) => {
      const { result, exceptionDetails } = await send<{
        result?: { value?: string }
        exceptionDetails?: { text: string }
      }>('script.callFunction', {
        functionDeclaration: `async (args) => JSON.stringify(await (${source})(...JSON.parse(args)))`,
        arguments: [{ type: 'string', value: JSON.stringify(args) }],
        target: { context },
        awaitPromise: true,
      })
      if (exceptionDetails) throw new Error(exceptionDetails.text)
      return result?.value === undefined ? undefined : JSON.parse(result.value)
    },
    act: (actions) => send('input.performActions', { context, actions }),
    takeProblems: () => {
      const taken = problems
      problems = []
      return taken
    },
    downloads,
    close: async () => {
      socket.close()
      await end(child)
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Runs in every page before its own code: BiDi has no event for violations. */
function reportViolations() {
  document.addEventListener('securitypolicyviolation', (event) => {
    // eslint-disable-next-line no-console
    console.error(`Content-Security-Policy: ${event.violatedDirective}: ${event.blockedURI}`)
  })
}

function problemOf({ method, params }: Message): string | undefined {
  if (method === 'log.entryAdded') {
    const { type, level, text } = params as { type: string; level: string; text: string }
    const isProblem = type === 'javascript' || /Content-Security-Policy/.test(text)
    return isProblem && level === 'error' ? text : undefined
  }
  if (method === 'network.beforeRequestSent') {
    const { url } = (params as { request: { url: string } }).request
    const { protocol, hostname } = new URL(url)
    if (protocol.startsWith('http') && hostname !== '127.0.0.1') return `a request to ${url}`
  }
  return undefined
}
