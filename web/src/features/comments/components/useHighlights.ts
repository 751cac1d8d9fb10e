import { useEffect, type RefObject } from 'react'
import { placesOf } from '../model/anchor'

const mostNodes = 5000

/**
 * Marks quotes in what is shown inside an element. The browser draws the marks: nothing is put into the document, which belongs to
 * others. Browsers that cannot show none; the list below the text has them all the same.
 */
export function useHighlights(
  root: RefObject<HTMLElement | null>,
  name: string,
  quotes: readonly string[],
): void {
  const wanted = quotes.join('\u0000')
  // Marks, and what changes in the document, are outside React.
  useEffect(() => {
    const element = root.current
    if (!element || wanted === '' || typeof Highlight === 'undefined') return
    const shared = CSS.highlights.get(name) ?? new Highlight()
    CSS.highlights.set(name, shared)
    let own: Range[] = []
    const clear = () => own.forEach((range) => shared.delete(range))
    const draw = () => {
      clear()
      own = wanted.split('\u0000').flatMap((quote) => rangesOf(element, quote))
      for (const range of own) shared.add(range)
    }
    let frame = requestAnimationFrame(draw)
    // Values are shown a piece at a time, and in several ways.
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(draw)
    })
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      clear()
    }
  }, [root, name, wanted])
}

function rangesOf(element: HTMLElement, quote: string): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (nodes.length < mostNodes && walker.nextNode())
    if (walker.currentNode instanceof Text) nodes.push(walker.currentNode)
  return placesOf(
    nodes.map(({ data }) => data),
    quote,
  ).flatMap(({ from, to }) => {
    const start = nodes[from.piece]
    const end = nodes[to.piece]
    if (!start || !end) return []
    const range = new Range()
    range.setStart(start, from.at)
    range.setEnd(end, to.at)
    return [range]
  })
}
