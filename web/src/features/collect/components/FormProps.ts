/** What a form that puts something somewhere is given. */
export type FormProps<Choice> = {
  projectId: string
  /** How many things are put there; one without a number. */
  count?: string
  isPending?: boolean
  error?: string
  onSubmit: (choice: Choice) => void
  onClose: () => void
}
