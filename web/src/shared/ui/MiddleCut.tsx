import type { CSSProperties } from 'react'

const endLength = 6

/**
 * A text that is cut in its middle where there is no room for it: names of one kind, such as customer-1 and customer-2,
 * begin alike and differ at the end. The whole text stays in the document, to be copied and found.
 */
export function MiddleCut({ text, isMono = false }: { text: string; isMono?: boolean }) {
  let at = Math.max(0, text.length - endLength)
  if (/^[\uDC00-\uDFFF]/.test(text.slice(at))) at-- // not within a pair of surrogates
  const end = text.slice(at)
  return (
    // Items of a flex box would be copied as two lines. Browsers read boxes beside each other as two words; the label is
    // what they put into the name of a link or a cell instead.
    <bdi
      aria-label={text}
      className="inline-block max-w-full overflow-hidden align-bottom whitespace-nowrap"
      style={{ '--end': `${widthOf(end, isMono)}ch` } as CSSProperties}
    >
      <span className="inline-block max-w-[calc(100%-var(--end))] overflow-hidden align-bottom text-ellipsis whitespace-pre">
        {text.slice(0, at)}
      </span>
      <span className="inline-block min-w-(--end) align-bottom whitespace-pre">{end}</span>
    </bdi>
  )
}

/** How wide a text can be, in digits. Too much room would cut the start of a text that fits. */
function widthOf(text: string, isMono: boolean): number {
  let width = 0
  for (const character of text)
    width +=
      character >= '\u1100'
        ? 2.2
        : isMono
          ? 1
          : /[A-Zmw@%]/.test(character)
            ? 1.6
            : /[-.,:;!|'()[\]/ fijlrt]/.test(character)
              ? 0.7
              : 1
  return Math.round(width * 10) / 10
}
