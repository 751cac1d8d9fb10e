/** What is wrong with an email address, as far as a form can tell. */
export function emailProblem(email: string): string | undefined {
  return /^\S+@\S+$/.test(email.trim())
    ? undefined
    : 'Enter an email address, such as ada@example.com'
}
