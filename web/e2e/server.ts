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
  /** The time at which it was started, if that is not the machine's. */
  at?: number
  stop: () => Promise<void>
}

/** The binary under test: built by `make build` unless ALMANAC_TEST_BINARY names another. */
export const program = resolve(process.env['ALMANAC_TEST_BINARY'] ?? '../bin/almanac')

/** Runs a program at another time; test/tools builds it. */
const clock = resolve('../.tools/bin/at')

/** Starts the server on a free loopback port, at another time if one is given, and waits until it is ready. */
export async function startServer(args: string[] = [], at?: number): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), 'almanac-e2e-'))
  const serve = ['serve', '--listen', '127.0.0.1:0', '--data', data, ...args]
  const child =
    at === undefined
      ? spawn(program, serve, { stdio: ['ignore', 'pipe', 'pipe'] })
      : spawn(clock, [new Date(at).toISOString(), program, ...serve], {
          stdio: ['ignore', 'pipe', 'pipe'],
          detached: true, // a process group, to be stopped as one
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
    at,
    stop: () => stop(child, data, at !== undefined),
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

async function stop(child: ChildProcess, data: string, isGroup: boolean) {
  if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
    const ended = new Promise((done) => child.once('close', done))
    process.kill(isGroup ? -child.pid : child.pid, 'SIGTERM')
    await ended
  }
  rmSync(data, { recursive: true, force: true })
}
