import { useEffect, useRef, useState, type RefObject } from 'react'

/** How wide an element is, in pixels; a guess until it is measured. */
export function useWidth<E extends Element>(guess: number): [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(guess)
  // Sizes are the document's.
  useEffect(() => {
    if (!element.current) return
    const observer = new ResizeObserver(([entry]) => {
      const measured = Math.round(entry?.contentRect.width ?? 0)
      if (measured > 0) setWidth(measured)
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [])
  return [element, width]
}
