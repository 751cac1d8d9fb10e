import type { Ref } from 'react'
import type { QueryError } from './model/parse'

type MarkedProps = { ref: Ref<HTMLDivElement>; text: string; errors: readonly QueryError[] }

/** Wavy lines under the words that are not understood, aligned with an input of the same font. */
export function ErrorUnderlines({ ref, text, errors }: MarkedProps) {
  if (errors.length === 0) return null
  const parts: { text: string; start: number; isWrong: boolean }[] = []
  let at = 0
  for (const { start, end } of errors) {
    if (start < at) continue
    parts.push({ text: text.slice(at, start), start: at, isWrong: false })
    parts.push({ text: text.slice(start, end), start, isWrong: true })
    at = end
  }
  return (
    <div
      ref={ref}
      aria-hidden
      className="pointer-events-none absolute inset-0 overflow-hidden px-2 font-mono text-sm leading-7 whitespace-pre text-transparent"
    >
      {parts.map((part) =>
        part.isWrong ? (
          <span
            key={part.start}
            className="underline decoration-danger decoration-wavy underline-offset-4"
          >
            {part.text}
          </span>
        ) : (
          <span key={`before-${part.start}`}>{part.text}</span>
        ),
      )}
    </div>
  )
}
