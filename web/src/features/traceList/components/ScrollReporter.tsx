import { useEffect, useEffectEvent, type ReactNode } from 'react'

type ScrollsProps = { onScroll: (top: number) => void; children: ReactNode }

/** Reports how far the list inside is scrolled, starting with zero when it is mounted. */
export function ScrollReporter({ onScroll, children }: ScrollsProps) {
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
