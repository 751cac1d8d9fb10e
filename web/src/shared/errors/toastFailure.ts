import { messageOf } from '@/shared/api'
import { toast } from '@/shared/ui'

/** Returns a handler that shows what failed and why; for changes made without a form. */
export function toastFailure(title: string): (error: unknown) => void {
  return (error) => toast(title, { tone: 'danger', description: messageOf(error) })
}
