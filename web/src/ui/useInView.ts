import { useEffect, useRef, useState, type RefObject } from 'react'

/** Whether an element has come near the part of the page that is seen. Once it has, it stays so. */
export function useInView<E extends Element>(margin = 400): [RefObject<E | null>, boolean] {
  const element = useRef<E>(null)
  const [wasSeen, setSeen] = useState(false)
  // What is seen is the document's.
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
