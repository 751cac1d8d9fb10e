import { toast } from './toast'

/** Copies exactly this text. If the browser refuses, as all do over plain HTTP, shows an error and returns false. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast('The browser did not allow copying', { tone: 'danger' })
    return false
  }
}
