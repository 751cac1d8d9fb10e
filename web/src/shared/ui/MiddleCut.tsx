const endLength = 6

/**
 * A text that is cut in its middle where there is no room for it: names of one kind, such as customer-1 and customer-2,
 * begin alike and differ at the end. The whole text stays in the document, to be copied and found.
 */
export function MiddleCut({ text }: { text: string }) {
  let at = Math.max(0, text.length - endLength)
  if (/^[\uDC00-\uDFFF]/.test(text.slice(at))) at-- // not within a pair of surrogates
  return (
    <bdi className="inline-flex max-w-full min-w-0 align-bottom">
      <span className="min-w-0 truncate">{text.slice(0, at)}</span>
      <span className="shrink-0 whitespace-pre">{text.slice(at)}</span>
    </bdi>
  )
}
