import { useEffect, useEffectEvent, type ReactNode } from 'react'

type ScrollsProps = { onScroll: (top: number) => void; children: ReactNode }

/** Tells how far down the list in it is scrolled, which is not at all when it comes. */
export function Scrolls({ onScroll, children }: ScrollsProps) {
  const begin = useEffectEvent(() => onScroll(0))
  useEffect(() => {
    begin()
  }, [])
  return (
    <div
      className="contents"
      onScrollCapture={({ target }) => target instanceof Element && onScroll(target.scrollTop)}
    >
      {children}
    </div>
  )
}
