import { useEffect, type RefObject } from 'react'
import { firstInValue, foundRanges, scrollToRange } from '../model/foundRanges'

/**
 * Marks a text wherever it is shown in an element, and scrolls to its first place in a value, once for each subject.
 * The browser draws the marks; the DOM is not changed.
 */
export function useFoundMarks(
  root: RefObject<HTMLElement | null>,
  text: string,
  subject: string,
): void {
  // Highlights, DOM changes and scroll positions are outside React.
  useEffect(() => {
    const element = root.current
    if (!element || text.trim() === '') return
    const about = subject
    const marks = typeof Highlight === 'undefined' ? undefined : new Highlight()
    if (marks) CSS.highlights.set('found', marks)
    // The subject that was scrolled.
    let scrolled: string | undefined
    const draw = () => {
      const ranges = foundRanges(element, text)
      marks?.clear()
      for (const range of ranges) marks?.add(range)
      const first = scrolled === about ? undefined : firstInValue(ranges)
      if (!first) return
      scrolled = about
      scrollToRange(first)
    }
    let frame = requestAnimationFrame(draw)
    // Values arrive later, and long ones piece by piece.
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(draw)
    })
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      if (marks && CSS.highlights.get('found') === marks) CSS.highlights.delete('found')
    }
  }, [root, text, subject])
}
