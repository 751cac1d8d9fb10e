import type { CSSProperties } from 'react'

const endLength = 6

/**
 * A text that is cut in its middle where there is no room for it: names of one kind, such as customer-1 and customer-2,
 * begin alike and differ at the end. The whole text stays in the document, to be copied and found.
 */
export function MiddleCut({ text }: { text: string }) {
  let at = Math.max(0, text.length - endLength)
  if (/^[\uDC00-\uDFFF]/.test(text.slice(at))) at-- // not within a pair of surrogates
  const end = text.slice(at)
  return (
    // Items of a flex box would be copied as two lines. Browsers read boxes beside each other as two words; the label is
    // what they put into the name of a link or a cell instead.
    <bdi
      aria-label={text}
      className="inline-block max-w-full overflow-hidden align-bottom whitespace-nowrap"
      style={{ '--end': `${widthOf(end)}ch` } as CSSProperties}
    >
      <span className="inline-block max-w-[calc(100%-var(--end))] truncate align-bottom">
        {text.slice(0, at)}
      </span>
      <span className="inline-block min-w-(--end) align-bottom whitespace-pre">{end}</span>
    </bdi>
  )
}

/** How wide a text can be, in digits. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text)
    width += character >= '\u1100' ? 2.2 : /[A-Zmw@%]/.test(character) ? 1.7 : 1.1
  return Math.ceil(width)
}
