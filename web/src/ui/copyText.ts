import { toast } from './toast'

/** Copies exactly this text. Browsers that do not allow it, as all do over plain HTTP, are told of; then it is false. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    toast('The browser did not allow copying', { tone: 'danger' })
    return false
  }
}
