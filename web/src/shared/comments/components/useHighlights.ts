import { useEffect, type RefObject } from 'react'
import { placesOf } from '../model/anchor'

const mostNodes = 5000

/**
 * Highlights quotes in the content of an element. The browser draws the highlights; the DOM, which others own, is not
 * changed. Browsers without support show none, but the list below the text has all quotes.
 */
export function useHighlights(
  root: RefObject<HTMLElement | null>,
  name: string,
  quotes: readonly string[],
): void {
  const wanted = quotes.join('\u0000')
  // Highlights and DOM changes are outside React.
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
    // Values are rendered piece by piece, and in several views.
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
