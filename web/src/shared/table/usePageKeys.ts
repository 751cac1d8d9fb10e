import { useEffect, useEffectEvent, type RefObject } from 'react'

/** Makes the keys of the page's main list work wherever nothing else has focus, and moves focus to the list. */
export function usePageKeys(
  isMain: boolean,
  scroller: RefObject<HTMLElement | null>,
  onKeyDown: (event: KeyboardEvent) => void,
): void {
  const onPageKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event
    const isFree =
      target === document.body || (target instanceof HTMLElement && target.id === 'content')
    if (event.defaultPrevented || !isFree) return
    onKeyDown(event)
    if (event.defaultPrevented) scroller.current?.focus()
  })
  // Keys of the page come from outside React.
  useEffect(() => {
    if (!isMain) return
    const listener = (event: KeyboardEvent) => onPageKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [isMain])
}
