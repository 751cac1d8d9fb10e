import { useEffect, useRef, useState, type RefObject } from 'react'

/** Whether an element has come near the visible part of the page. Stays true from then on. */
export function useInView<E extends Element>(margin = 400): [RefObject<E | null>, boolean] {
  const element = useRef<E>(null)
  const [wasSeen, setSeen] = useState(false)
  // Visibility is outside React.
  useEffect(() => {
    if (wasSeen || !element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
      },
      { rootMargin: `${margin}px` },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [wasSeen, margin])
  return [element, wasSeen]
}
