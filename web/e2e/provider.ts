import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { printedUntil } from './server'

/** A running identity provider: the program in test/oidc, which describes its users and commands. */
export type Provider = {
  issuer: string
  /** Starts serving, with this redirect URI. */
  serve: (redirectUri: string) => Promise<void>
  stop: () => Promise<void>
}

/** The client registered with the provider, and the password of all users. */
export const client = { id: 'almanac', secret: 's3cret' }
export const password = 'correct horse'

/** Builds the provider, as the Go tests do, and starts it on a free loopback port. */
export async function startProvider(): Promise<Provider> {
  const directory = mkdtempSync(join(tmpdir(), 'almanac-oidc-'))
  const program = join(directory, 'oidc')
  execFileSync('go', ['build', '-trimpath', '-o', program, '.'], {
    cwd: resolve('../test/oidc'),
    env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off' },
  })
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'ignore'] })
  const issuer = (await printedUntil(child, /\n/)).trim()
  return {
    issuer,
    serve: async (redirectUri) => {
      const ready = printedUntil(child, /ready\n/)
      child.stdin.write(`${redirectUri}\n`)
      await ready
    },
    stop: async () => {
      const ended = new Promise((done) => child.once('exit', done))
      child.stdin.end() // this stops it
      await ended
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
