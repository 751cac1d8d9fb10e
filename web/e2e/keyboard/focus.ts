import { expect, type Locator, type Page } from '@playwright/test'

/** Fails unless a visible element has focus and shows it. */
export async function expectFocusShown(page: Page) {
  await expect.poll(() => page.evaluate(focusProblem)).toBe('')
}

/** Presses Tab until an element has focus; every element on the way must show its focus. */
export async function tabTo(page: Page, target: Locator, key = 'Tab') {
  await expect(target).toBeVisible()
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
    const problem = await page.evaluate(focusProblem)
    // At the end of the page, focus moves through the browser's own controls.
    if (problem !== '' && problem !== 'nothing has the focus') throw new Error(problem)
  }
  throw new Error(`80 presses of ${key} do not lead to ${String(target)}`)
}

/** Runs in the page: what is wrong with the focus, if anything. */
function focusProblem(): string {
  const focused = document.activeElement
  if (!focused || focused === document.body) return 'nothing has the focus'
  const name = focused.outerHTML.slice(0, 150)
  // The visible part of a control may be around a hidden one.
  const around = [focused, focused.parentElement, focused.parentElement?.parentElement]
  const isShown = around.some((element) => {
    if (!element) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
  })
  const hasCaret = focused.matches('input:not([type=checkbox]):not([type=radio]), textarea')
  // Containers that take focus when they open hold it for their content.
  const isFrame = focused.matches('[role=dialog], [role=alertdialog], [role=menu], main')
  if (!isShown && !hasCaret && !isFrame) return `the focus does not show: ${name}`
  const box = focused.getBoundingClientRect()
  const isInSight =
    box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
  return isInSight ? '' : `the focus is out of sight: ${name}`
}
