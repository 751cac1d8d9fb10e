/** Whether a target is the box by which a row, or all of them, are selected. */
export function isBoxOfRow(target: EventTarget): boolean {
  return target instanceof HTMLInputElement && target.type === 'checkbox'
}

/** Whether a target belongs to a control in a cell, which has keys and clicks of its own. */
export function isInControl(target: EventTarget): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'a:not([data-row-link]), button, input, textarea, select, label, [role="menu"]',
    ) !== null
  )
}
