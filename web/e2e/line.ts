import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A connection to a server that can be cut and restored. */
export async function newLine(to: string) {
  const server = new URL(to)
  const sockets = new Set<Socket>()
  let isCut = false
  const pass = (from: Socket, onward: Socket) => {
    sockets.add(from)
    from.pipe(onward)
    from.on('error', () => onward.destroy())
    from.on('close', () => {
      sockets.delete(from)
      onward.destroy()
    })
  }
  const relay = createServer((browser) => {
    if (isCut) {
      browser.destroy()
      return
    }
    const onward = connect(Number(server.port), server.hostname)
    pass(browser, onward)
    pass(onward, browser)
  })
  await new Promise<void>((done) => relay.listen(0, '127.0.0.1', done))
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    cut,
    mend: () => {
      isCut = false
    },
    close: () => {
      cut()
      relay.close()
    },
  }
}
