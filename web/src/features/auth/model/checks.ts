export const shortestPassword = 10

/** What is wrong with an e-mail address, as far as a form can tell. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return 'Enter your e-mail address'
  return /^\S+@\S+$/.test(email.trim()) ? undefined : 'This is no e-mail address'
}

/** What is wrong with a new password. */
export function passwordProblem(password: string): string | undefined {
  const length = [...password].length
  return length < shortestPassword
    ? `At least ${shortestPassword} characters, ${shortestPassword - length} more`
    : undefined
}

export function nameProblem(name: string): string | undefined {
  return name.trim() === '' ? 'Enter your name' : undefined
}
