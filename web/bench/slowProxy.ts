import { createServer, connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

export type SlowProxy = { url: string; stop: () => Promise<void> }

/**
 * Passes connections on to a server as if it were far away: what is sent takes half a round trip in either direction,
 * and a new connection a whole one before anything can be sent. Bandwidth is not limited.
 */
export async function startSlowProxy(target: string, roundTrip: number): Promise<SlowProxy> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) })
    pass(near, far, roundTrip / 2, performance.now() + roundTrip)
    pass(far, near, roundTrip / 2, 0)
    for (const socket of [near, far]) {
      socket.setNoDelay(true)
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((done) => {
        for (const socket of open) socket.destroy()
        server.close(() => done())
      }),
  }
}

/** Passes on what one socket sends, and that it ends, after a delay that begins when it could be sent. */
function pass(from: Socket, to: Socket, delay: number, possibleFrom: number) {
  const later = (then: () => void) =>
    setTimeout(then, Math.max(0, possibleFrom - performance.now()) + delay)
  from.on('data', (bytes) => later(() => to.write(bytes)))
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
}
