import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** A running server with its own data directory. */
export type Server = {
  url: string
  /** Opens the setup page, once. Empty if no setup is needed. */
  setUpAddress: string
  publicKey: string
  secretKey: string
  data: string
  pid: number
  stop: () => Promise<void>
}

/** The binary under test: built by `make build` unless ALMANAC_TEST_BINARY names another. */
export const program = resolve(process.env['ALMANAC_TEST_BINARY'] ?? '../bin/almanac')

/** Starts the server on a free loopback port and waits until it is ready. */
export async function startServer(args: string[] = []): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'almanac-e2e-'))
  const child = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--data', data, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // API keys are printed last, unless the options set up the initial state.
  const isPrepared = args.some((arg) => arg.startsWith('--init-'))
  const printed = await printedUntil(child, isPrepared ? /API reference: \S+\n/ : /Make more keys/)
  const find = (pattern: RegExp) => pattern.exec(printed)?.[1] ?? ''
  const url = find(/Almanac is ready at (\S+)/)
  if (url === '') throw new Error(`the program printed no address:\n${printed}`)
  return {
    url,
    setUpAddress: find(/(http\S+\/setup\?token=\S+)/),
    publicKey: find(/public key\s+(pk-lf-\S+)/),
    secretKey: find(/secret key\s+(sk-lf-\S+)/),
    data,
    pid: child.pid ?? 0,
    stop: () => stop(child, data),
  }
}

/** The output of a process up to the point where it matches a pattern. */
export function printedUntil(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((done, failed) => {
    let printed = ''
    const read = (chunk: Buffer) => {
      printed += chunk.toString()
      if (pattern.test(printed)) done(printed)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('error', failed)
    child.once('exit', (code) => failed(new Error(`the program ended with ${code}:\n${printed}`)))
    setTimeout(() => failed(new Error(`not ready after 30 s:\n${printed}`)), 30_000).unref()
  })
}

async function stop(child: ChildProcess, data: string) {
  if (child.exitCode === null) {
    const ended = new Promise((done) => child.once('exit', done))
    child.kill('SIGTERM')
    await ended
  }
  rmSync(data, { recursive: true, force: true })
}
