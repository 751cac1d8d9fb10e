import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect } from '@playwright/test'
import { follow, isSettled } from '../inPage'
import type { Engine } from './engine'

/** What the tests of components find elements with: by role and name, as people and screen readers do. */
const library = readFileSync(
  createRequire(import.meta.url)
    .resolve('@testing-library/dom')
    .replace(/dist.*/, 'dist/@testing-library/dom.umd.min.js'),
  'utf8',
)

type Name = string | RegExp
type Point = { x: number; y: number }

/** A person in front of the browser: looks, clicks and types, and waits for what is to come. */
export class Visitor {
  constructor(
    readonly engine: Engine,
    private readonly origin: string,
  ) {}

  async open(path: string) {
    await this.engine.goTo(this.origin + path)
  }

  /** Navigates within the open application, which takes less time than loading it. */
  async go(path: string) {
    await this.settled()
    await this.call(follow, path)
    await this.settled()
  }

  /** Waits until the application has loaded all data of the page. */
  async settled() {
    await expect.poll(() => this.call(isSettled), { intervals: [50] }).toBe(true)
  }

  /** Calls a function in the page; it cannot use anything from around it. */
  async call<A extends unknown[], R>(inPage: (...args: A) => R, ...args: A): Promise<Awaited<R>> {
    return (await this.engine.call(String(inPage), args)) as Awaited<R>
  }

  async url(): Promise<URL> {
    return new URL(await this.call(() => location.href))
  }

  /** Waits until the page at this path has loaded. */
  async isAt(path: string | RegExp) {
    const loaded = () => (document.readyState === 'complete' ? location.href : '')
    const address = expect.poll(async () => (await this.call(loaded)).slice(this.origin.length))
    await (typeof path === 'string' ? address.toBe(path) : address.toMatch(path))
  }

  /** Waits until an element is in sight, and returns the middle of it. */
  async see(role: string, name: Name): Promise<Point> {
    let point: Point | string = ''
    await expect
      .poll(
        async () => {
          point = await this.find(role, name)
          return typeof point === 'string' ? point : ''
        },
        { message: `${role} ${name}`, intervals: [50, 100, 200] },
      )
      .toBe('')
    return point as unknown as Point
  }

  async isGone(role: string, name: Name) {
    await expect
      .poll(() => this.find(role, name), { message: `${role} ${name}`, intervals: [50, 100] })
      .toBe('not there')
  }

  /** Waits for a text anywhere; among many rows it is found sooner than a row by its name. */
  async read(text: string | RegExp) {
    const shown = () => this.call(() => document.body.innerText)
    const message = String(text)
    await expect.poll(shown, { message, intervals: [50, 100] }).toMatch(text)
  }

  async click(role: string, name: Name) {
    const { x, y } = await this.see(role, name)
    await this.engine.act([
      {
        type: 'pointer',
        id: 'mouse',
        parameters: { pointerType: 'mouse' },
        actions: [
          { type: 'pointerMove', x, y, duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      },
    ])
  }

  async fill(role: string, name: Name, text: string) {
    await this.click(role, name)
    await this.press('Control+a')
    await this.type(text)
  }

  async type(text: string) {
    await this.keys([...text].flatMap((value) => [down(value), up(value)]))
  }

  /** Presses a key, or several at once: Control+k. */
  async press(names: string) {
    const values = names.split('+').map((name) => keys[name] ?? name)
    await this.keys([...values.map(down), ...values.toReversed().map(up)])
  }

  private async keys(actions: object[]) {
    await this.engine.act([{ type: 'key', id: 'keyboard', actions }])
  }

  /** The middle of the first visible element of this role and name, or why there is none. */
  private async find(role: string, name: Name): Promise<Point | string> {
    const [text, pattern] = typeof name === 'string' ? [name, ''] : ['', name.source]
    const found = await this.call(middleOf, role, text, pattern)
    if (found === undefined) await this.engine.call(`() => { ${library} }`, []) // the page is new
    return found ?? 'not looked for'
  }
}

const down = (value: string) => ({ type: 'keyDown', value })
const up = (value: string) => ({ type: 'keyUp', value })

/** Keys without a character, as WebDriver writes them. */
const keys: Record<string, string> = {
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  End: '\uE010',
  ArrowDown: '\uE015',
}

/** Runs in the page; undefined if the library is not there. */
function middleOf(role: string, text: string, pattern: string): Point | string | undefined {
  const { TestingLibraryDom: library } = window as { TestingLibraryDom?: Library }
  if (!library) return undefined
  const name = pattern === '' ? text : new RegExp(pattern)
  const all =
    role === 'password' // has no role
      ? library.queryAllByLabelText(document.body, name, { selector: '[type=password]' })
      : library.queryAllByRole(document.body, role, { name, hidden: true }) // to look for what is hidden takes longer
  const found = all.find((element) => element.checkVisibility() && !element.closest('[inert]'))
  if (!found) return 'not there'
  found.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const box = found.getBoundingClientRect()
  const x = Math.round(box.x + Math.min(box.width, innerWidth) / 2)
  const y = Math.round(box.y + Math.min(box.height, innerHeight) / 2)
  const hit = document.elementFromPoint(x, y)
  if (!hit) return 'out of sight'
  // A label may be around its control or lie over it.
  const isHit = found.contains(hit) || hit.contains(found)
  return isHit ? { x, y } : `hidden behind ${hit.outerHTML.slice(0, 100)}`
}

type Library = {
  queryAllByRole: (
    container: HTMLElement,
    role: string,
    options: { name: string | RegExp; hidden: boolean },
  ) => HTMLElement[]
  queryAllByLabelText: (
    container: HTMLElement,
    text: string | RegExp,
    options: { selector: string },
  ) => HTMLElement[]
}
