import { useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { keyAction, type KeyAction } from '../model/keys'
import { isBusy, isTyping } from './keyTarget'

const sequenceTime = 1000

/**
 * Listens for the keys of a trace: on the whole page if the trace has it to itself, otherwise only with the focus
 * inside. Typing in a field does not move the tree.
 */
export function useTraceKeys(
  root: RefObject<HTMLElement | null>,
  isPage: boolean,
  act: (action: KeyAction) => boolean,
): void {
  const pressedG = useRef(-Infinity)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isBusy(event.target)) return
    // A key pressed after G goes to another page.
    const followsG = event.timeStamp - pressedG.current < sequenceTime
    pressedG.current = event.key === 'g' ? event.timeStamp : -Infinity
    if (followsG) return
    const isInTree =
      event.target instanceof HTMLElement && event.target.closest('[data-trace-tree]') !== null
    const action = keyAction(event, isInTree)
    if (!action || (isTyping(event.target) && action.do !== 'find')) return
    if (act(action)) {
      event.preventDefault()
      event.stopPropagation()
    }
  })
  // Keys come from outside React.
  useEffect(() => {
    const target = isPage ? document : root.current
    const listener = (event: Event) => {
      if (event instanceof KeyboardEvent) onKey(event)
    }
    target?.addEventListener('keydown', listener)
    return () => target?.removeEventListener('keydown', listener)
  }, [isPage, root])
}
