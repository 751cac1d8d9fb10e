import { messageOf } from '@/api'
import { toast } from '@/ui'

/** Tells that something was not done, and why; for what is changed without a form. */
export function toastFailure(title: string): (error: unknown) => void {
  return (error) => toast(title, { tone: 'danger', description: messageOf(error) })
}
