/** What is wrong with an e-mail address, as far as a form can tell. */
export function emailProblem(email: string): string | undefined {
  return /^\S+@\S+$/.test(email.trim())
    ? undefined
    : 'Enter an e-mail address, such as ada@example.com'
}
