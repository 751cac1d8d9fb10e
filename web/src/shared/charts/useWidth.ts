import { useEffect, useRef, useState, type RefObject } from 'react'

/** The width of an element in pixels; a guess until it is measured. */
export function useWidth<E extends Element>(guess: number): [RefObject<E | null>, number] {
  const element = useRef<E>(null)
  const [width, setWidth] = useState(guess)
  // Element sizes are outside React.
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
