import { toast } from './toast'

/** A text, or a function that loads it. */
export type Copied = string | (() => Promise<string>)

/**
 * Copies exactly this text. If it cannot be loaded or the browser refuses, says so and returns false; what was loaded
 * too late for the browser can be copied from the message.
 */
export async function copyText(copied: Copied): Promise<boolean> {
  try {
    if (typeof copied === 'string') await write(copied)
    else return await writeLoaded(copied())
    return true
  } catch (error) {
    const description =
      typeof copied === 'string' || !(error instanceof Error) ? undefined : error.message
    toast('It could not be copied', { tone: 'danger', description })
    return false
  }
}

async function write(text: string): Promise<void> {
  // There is no clipboard over plain HTTP.
  if (!navigator.clipboard) {
    writeBySelection(text)
    return
  }
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    writeBySelection(text)
  }
}

/** Safari allows copying only within the click itself; what is loaded later is promised to it. */
async function writeLoaded(text: Promise<string>): Promise<boolean> {
  if (navigator.clipboard && typeof ClipboardItem !== 'undefined') {
    const blob = text.then((loaded) => new Blob([loaded], { type: 'text/plain' }))
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
      return true
    } catch {
      // Older browsers do not take promises.
    }
  }
  const loaded = await text
  try {
    await write(loaded)
    return true
  } catch {
    // The click was too long ago: browsers want another one.
    toast('All of it is loaded now', {
      tone: 'neutral',
      description: 'Loading took so long that the browser asks for another click to copy it.',
      action: { label: 'Copy', onAction: () => void copyText(loaded) },
    })
    return false
  }
}

function writeBySelection(text: string): void {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'fixed top-0 left-0 size-px opacity-0'
  // Inside the dialog that is open, if any: it does not let the focus out.
  const before = document.activeElement
  const place = before?.closest('[role="dialog"], [role="alertdialog"]') ?? document.body
  place.append(field)
  field.focus({ preventScroll: true })
  field.select()
  // Deprecated, but all browsers have it, and there is nothing else over plain HTTP.
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  if (!isCopied) throw new Error('The browser did not allow copying')
}
