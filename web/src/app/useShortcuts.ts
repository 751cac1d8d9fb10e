import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { NavigationItem } from './navigation'

const sequenceTime = 1000

/** Listens for the keys that work on every page. */
export function useShortcuts(
  projectId: string | undefined,
  pages: readonly NavigationItem[],
  actions: { onPalette: () => void; onHelp: () => void },
): void {
  const navigate = useNavigate()
  const pressedG = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault()
      actions.onPalette()
      return
    }
    if (
      event.defaultPrevented ||
      event.metaKey ||
      event.ctrlKey ||
      event.altKey ||
      isTyping(event.target)
    )
      return
    const followsG = event.timeStamp - pressedG.current < sequenceTime
    pressedG.current = -Infinity
    if (followsG && projectId !== undefined) {
      const item = pages.find((each) => each.shortcut === event.key)
      if (item) {
        event.preventDefault()
        void navigate({ to: item.to, params: { projectId, _splat: item.splat } })
        return
      }
    }
    if (event.key === 'g') pressedG.current = event.timeStamp
    else if (event.key === '?') actions.onHelp()
    else if (event.key === '/') {
      const search = document.querySelector<HTMLElement>('[data-page-search]')
      if (search) {
        event.preventDefault()
        search.focus()
      }
    }
  })
  // Keys come from outside React.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest(
        'input, textarea, select, [role="dialog"], [role="alertdialog"], [role="menu"]',
      ) !== null)
  )
}
