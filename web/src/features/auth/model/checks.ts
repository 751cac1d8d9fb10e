export const shortestPassword = 10

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
