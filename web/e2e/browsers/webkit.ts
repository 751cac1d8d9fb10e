import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { end, type Engine, start, viewport } from './engine'

/** Debian's WebKitGTK, driven with WebDriver, on a screen in memory. */
export async function startWebKit(): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-webkit-'))
  const downloads = join(directory, 'downloads')
  mkdirSync(join(directory, 'gtk-3.0'))
  mkdirSync(downloads)
  writeFileSync(join(directory, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
  writeFileSync(join(directory, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`)

  const screen = start(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  )
  const display = await new Promise<string>((done) =>
    (screen.stdio[3] as Readable).once('data', (data) => done(`:${String(data).trim()}`)),
  )

  // Everything that is not for this machine goes through a proxy that answers nothing and remembers.
  const elsewhere: string[] = []
  const proxy = createServer((request, response) => {
    elsewhere.push(`a request to ${request.url}`)
    response.writeHead(502).end()
  })
  proxy.on('connect', (request, socket) => {
    elsewhere.push(`a request to ${request.url}`)
    socket.destroy()
  })
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done))
  const proxyAddress = `127.0.0.1:${(proxy.address() as AddressInfo).port}`

  // WebDriver has no events: the browser writes what it has to say to its output, and the driver discards that.
  const output = join(directory, 'output')
  writeFileSync(output, '')
  const browser = join(directory, 'browser')
  const command = `${join(import.meta.dirname, 'webkit.py')} ${directory} http://${proxyAddress}`
  writeFileSync(browser, `#!/bin/sh\nexec stdbuf -oL ${command} >>${output} 2>&1\n`)
  chmodSync(browser, 0o755)

  const port = await freePort()
  const driver = start('WebKitWebDriver', ['--host=127.0.0.1', `--port=${port}`], {
    stdio: 'ignore',
    detached: true, // the leader of a group that the browser belongs to
    env: {
      ...process.env,
      DISPLAY: display,
      HOME: directory,
      XDG_CONFIG_HOME: directory,
      TZ: 'UTC',
      LANG: 'C.UTF-8',
    },
  })
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      body: body && JSON.stringify(body),
    })
    const { value } = (await answer.json()) as { value: unknown }
    if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`)
    return value as T
  }
  await untilReady(() => send('GET', '/status'))
  const { sessionId } = await send<{ sessionId: string }>('POST', '/session', {
    capabilities: {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: browser, args: [] } },
    },
  })
  const session = `/session/${sessionId}`
  await send('POST', `${session}/window/rect`, viewport)

  let read = 0
  return {
    goTo: (url) => send('POST', `${session}/url`, { url }),
    call: async (source, args) => {
      const { result, error } = await send<{ result?: string | null; error?: string | null }>(
        'POST',
        `${session}/execute/async`,
        {
          script: `const [args, done] = arguments;
            Promise.resolve().then(() => (${source})(...JSON.parse(args))).then(
              (result) => done({ result: JSON.stringify(result) }),
              (error) => done({ error: String(error) }))`,
          args: [JSON.stringify(args)],
        },
      )
      if (error) throw new Error(error)
      return result ? JSON.parse(result) : undefined // WebKit answers null instead of undefined
    },
    act: (actions) => send('POST', `${session}/actions`, { actions }),
    takeProblems: () => {
      const printed = readFileSync(output, 'utf8')
      const lines = printed.slice(read).split('\n')
      read = printed.length
      return [...elsewhere.splice(0), ...lines.filter(isProblem)]
    },
    downloads,
    close: async () => {
      await end(driver, { group: true })
      await end(screen)
      proxy.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Whether WebKit prints this line for an uncaught error or a violation of the content security policy. It also says that
 * requests are forbidden that end because a page is left.
 */
function isProblem(line: string): boolean {
  if (/Fetch API cannot load http:\/\/127\.0\.0\.1:.* due to access control checks/.test(line))
    return false
  return /CONSOLE (JS|SECURITY) ERROR|Content.Security.Policy/i.test(line)
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

async function untilReady(ask: () => Promise<unknown>) {
  for (const deadline = Date.now() + 15_000; ;) {
    try {
      await ask()
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((later) => setTimeout(later, 50))
    }
  }
}
