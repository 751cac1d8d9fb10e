import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from './test'
import type { Visitor } from './visitor'

test('what would fail any other test is noticed', async ({ visitor }) => {
  await visitor.open('/account/settings')
  await visitor.settled()
  await visitor.call(() => {
    setTimeout(() => {
      throw new Error('thrown on purpose')
    })
  })
  await isNoticed(visitor, /thrown on purpose/)

  await visitor.call(() => void Promise.reject(new Error('rejected on purpose')))
  await isNoticed(visitor, /rejected on purpose/)

  await visitor.call(() => {
    const image = document.createElement('img')
    image.src = 'http://elsewhere.test/image.png'
    document.body.append(image)
  })
  await isNoticed(
    visitor,
    /elsewhere.test\/image.png.*Content.Security.Policy|Content-Security-Policy: img-src/,
  )

  // A page without a policy that forbids the request.
  const plain = createServer((_, response) => response.end('plain'))
  await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done))
  await visitor.engine.goTo(`http://127.0.0.1:${(plain.address() as AddressInfo).port}`)
  await visitor.call(() => {
    fetch('http://elsewhere.test/', { mode: 'no-cors' }).catch(() => undefined)
  })
  await isNoticed(visitor, /^a request to http:\/\/elsewhere.test\/$/)
  plain.close()
})

/** Waits for a problem, and forgets what else is said about it. */
async function isNoticed(visitor: Visitor, problem: RegExp) {
  const noticed: string[] = []
  await expect
    .poll(() => noticed.push(...visitor.engine.takeProblems()) && noticed, { intervals: [50] })
    .toContainEqual(expect.stringMatching(problem))
  await visitor.call(() => new Promise((later) => setTimeout(later, 100)))
  visitor.engine.takeProblems()
}
