import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'

/** A browser with one open page, whatever protocol it is driven by. */
export type Engine = {
  goTo: (url: string) => Promise<void>
  /** Calls a function, given as source, in the page. Arguments and result travel as JSON; a promise is awaited. */
  call: (source: string, args: readonly unknown[]) => Promise<unknown>
  /** Performs WebDriver's actions: of keys, of the pointer, of the wheel. */
  act: (actions: readonly object[]) => Promise<void>
  /** Uncaught errors, violations of the content security policy and requests to other hosts since the last call. */
  takeProblems: () => string[]
  /** The directory that downloads are saved to. */
  downloads: string
  close: () => Promise<void>
}

/** The parts of a window that pages see. */
export const viewport = { width: 1440, height: 900 }

/** Starts a program that test/tools installs. */
export function start(program: string, args: readonly string[], options: SpawnOptions) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options })
  child.once('error', (error) => {
    throw new Error(`${program} cannot be started; test/tools installs it: ${error.message}`)
  })
  return child
}

/** Ends a program, together with all of its group if it leads one. */
export async function end(child: ChildProcess, { group = false } = {}) {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  const kill = (signal: NodeJS.Signals) => process.kill(group ? -pid : pid, signal)
  kill('SIGTERM')
  const patience = setTimeout(() => kill('SIGKILL'), 5000)
  await ended
  clearTimeout(patience)
}
