/** What a key does on a trace. */
export type KeyAction =
  | { do: 'move'; by: number }
  | { do: 'first' }
  | { do: 'last' }
  | { do: 'fold' }
  | { do: 'unfold' }
  | { do: 'level'; level: number }
  | { do: 'error'; step: 1 | -1 }
  | { do: 'path' }
  | { do: 'zoom'; factor: number }
  | { do: 'pan'; by: number }
  | { do: 'whole' }
  | { do: 'find' }
  | { do: 'score' }

type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

const page = 15

/** The action of a key. Arrows and the like belong to the tree only while it has the focus. */
export function keyAction(pressed: Pressed, isInTree: boolean): KeyAction | undefined {
  const { key } = pressed
  if (pressed.ctrlKey || pressed.metaKey)
    return key.toLowerCase() === 'f' && !pressed.altKey && !pressed.shiftKey
      ? { do: 'find' }
      : undefined
  if (pressed.altKey) return undefined
  if (/^[1-9]$/.test(key)) return { do: 'level', level: Number(key) }
  switch (key) {
    case 'j':
      return { do: 'move', by: 1 }
    case 'k':
      return { do: 'move', by: -1 }
    case '[':
      return { do: 'fold' }
    case ']':
      return { do: 'unfold' }
    case '0':
      return { do: 'level', level: Infinity }
    case 'e':
      return { do: 'error', step: 1 }
    case 'E':
      return { do: 'error', step: -1 }
    case 'l':
      return { do: 'path' }
    case '+':
    case '=':
      return { do: 'zoom', factor: 0.5 }
    case '-':
      return { do: 'zoom', factor: 2 }
    case '\\':
      return { do: 'whole' }
    case 's':
      return { do: 'score' }
  }
  if (!isInTree) return undefined
  switch (key) {
    case 'ArrowDown':
      return { do: 'move', by: 1 }
    case 'ArrowUp':
      return { do: 'move', by: -1 }
    case 'PageDown':
      return { do: 'move', by: page }
    case 'PageUp':
      return { do: 'move', by: -page }
    case 'Home':
      return { do: 'first' }
    case 'End':
      return { do: 'last' }
    case 'ArrowLeft':
      return pressed.shiftKey ? { do: 'pan', by: -0.25 } : { do: 'fold' }
    case 'ArrowRight':
      return pressed.shiftKey ? { do: 'pan', by: 0.25 } : { do: 'unfold' }
    default:
      return undefined
  }
}
