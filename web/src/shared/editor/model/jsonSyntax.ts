import type { Problem } from './problem'

/** Deeper texts are refused: whatever reads them later would run out of stack. */
const deepest = 500

/** The first place where a text stops being JSON; undefined if all of it is JSON. Nothing but standard JSON is accepted. */
export function jsonSyntaxProblem(text: string): Problem | undefined {
  const reader = new Reader(text)
  try {
    reader.skipSpace()
    reader.value(0)
    reader.skipSpace()
    if (reader.at < text.length) reader.fail('Nothing may follow the value.')
    return undefined
  } catch (thrown) {
    if (thrown instanceof SyntaxProblem) return thrown.problem
    throw thrown
  }
}

class SyntaxProblem extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message)
  }
}

class Reader {
  at = 0

  constructor(private readonly text: string) {}

  fail(message: string, from = this.at, to = from + 1): never {
    const { length } = this.text
    // At the end of the text, the last character that is no space is marked.
    const start = Math.max(0, from >= length ? this.text.trimEnd().length - 1 : from)
    throw new SyntaxProblem({ from: start, to: Math.max(start, Math.min(to, length)), message })
  }

  skipSpace(): void {
    while (' \n\r\t'.includes(this.text[this.at] ?? 'x')) this.at += 1
  }

  value(depth: number): void {
    if (depth > deepest) this.fail(`Values are nested more than ${deepest} deep.`)
    const character = this.text[this.at]
    if (character === undefined)
      this.fail(depth === 0 ? 'Enter a value.' : 'The text ends where a value is expected.')
    if (character === '{') this.object(depth)
    else if (character === '[') this.array(depth)
    else if (character === '"') this.string()
    else if (/[-\d]/.test(character)) this.number()
    else this.word()
  }

  private object(depth: number): void {
    this.items('}', () => {
      if (this.text[this.at] !== '"') {
        if (this.text[this.at] === undefined) this.fail('The closing } is missing.')
        this.fail('A name in double quotation marks is expected here.', this.at, this.wordEnd())
      }
      this.string()
      this.skipSpace()
      if (this.text[this.at] !== ':') this.fail('A colon is missing after the name.')
      this.at += 1
      this.skipSpace()
      this.value(depth + 1)
    })
  }

  private array(depth: number): void {
    this.items(']', () => this.value(depth + 1))
  }

  private items(close: '}' | ']', readItem: () => void): void {
    this.at += 1
    this.skipSpace()
    if (this.text[this.at] === close) {
      this.at += 1
      return
    }
    for (;;) {
      readItem()
      this.skipSpace()
      const next = this.text[this.at]
      if (next === undefined) this.fail(`The closing ${close} is missing.`)
      if (next === close) {
        this.at += 1
        return
      }
      if (next !== ',') this.fail(`A comma or ${close} is expected here.`, this.at, this.wordEnd())
      const comma = this.at
      this.at += 1
      this.skipSpace()
      if (this.text[this.at] === close) this.fail('A comma may not be the last.', comma)
    }
  }

  private string(): void {
    const start = this.at
    for (this.at += 1; ; this.at += 1) {
      const character = this.text[this.at]
      if (character === '"') break
      if (character === undefined || character === '\n' || character === '\r')
        this.fail('The closing quotation mark is missing.', start, this.at)
      if (character < ' ')
        this.fail('Control characters are written as escapes, such as \\t and \\u0007.')
      if (character !== '\\') continue
      const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y
      escape.lastIndex = this.at
      const found = escape.exec(this.text)
      if (!found) this.fail('This escape does not exist.', this.at, this.at + 2)
      this.at += found[0].length - 1
    }
    this.at += 1
  }

  private number(): void {
    const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y
    number.lastIndex = this.at
    const found = number.exec(this.text)
    if (!found) this.fail('This is not a number of JSON.', this.at, this.wordEnd())
    this.at += found[0].length
  }

  private word(): void {
    const end = this.wordEnd()
    const word = this.text.slice(this.at, end)
    if (word !== 'true' && word !== 'false' && word !== 'null') {
      const isQuoted = word.startsWith("'")
      this.fail(
        isQuoted ? 'JSON has only double quotation marks.' : 'A value is expected here.',
        this.at,
        end,
      )
    }
    this.at = end
  }

  /** The end of the word at this place, for marking it. */
  private wordEnd(): number {
    const word = /[^\s,:[\]{}"]+/y
    word.lastIndex = this.at
    return this.at + Math.max(1, word.exec(this.text)?.[0].length ?? 1)
  }
}
