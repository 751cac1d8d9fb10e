export const shortestPassword = 10

/** What is wrong with an e-mail address, as far as a form can tell. */
export function emailProblem(email: string): string | undefined {
  return /^\S+@\S+$/.test(email.trim())
    ? undefined
    : 'Enter an e-mail address, such as ada@example.com'
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
