import { textParts } from './parts'
import { roleOf } from './roles'
import type { Message } from './types'

const head = /^ChatMessage\(role=<MessageRole\.\w+: '(\w+)'>/
const block =
  /TextBlock\(block_type='text', text=(?:'((?:[^'\\]|\\[^])*)'|"((?:[^"\\]|\\[^])*)")\)/g

/** Reads a LlamaIndex message as printed by Python, for tracers that recorded nothing else. */
export function readRepresentation(text: string): Message | undefined {
  const role = head.exec(text)?.[1]
  if (role === undefined) return undefined
  const parts = [...text.matchAll(block)].flatMap(([, single, double]) =>
    textParts(unescapePython(single ?? double ?? '')),
  )
  // Calls and images cannot be recovered from it reliably.
  return parts.length === 0 ? undefined : { role: roleOf(role), parts }
}

const short: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** The content of a Python string literal. */
function unescapePython(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([^]))/g,
    (all, x?: string, u?: string, wide?: string, one?: string) => {
      const hex = x ?? u ?? wide
      if (hex === undefined) return short[one ?? ''] ?? one ?? all
      const code = Number.parseInt(hex, 16)
      return code > 0x10ffff ? all : String.fromCodePoint(code)
    },
  )
}
