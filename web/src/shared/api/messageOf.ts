import { ApiError } from './error'

/** Turns anything thrown into a sentence for the user. */
export function messageOf(error: unknown): string {
  if (error instanceof ApiError) {
    const [issue] = error.issues
    if (issue && issue.message !== '' && !error.message.includes(issue.message)) {
      const where = issue.path.join('.')
      return where === ''
        ? `${error.message}: ${issue.message}`
        : `${error.message}: ${where}: ${issue.message}`
    }
    return error.message
  }
  return error instanceof Error ? error.message : 'Something went wrong.'
}
