/** The props of a form that adds something to a dataset or a queue. */
export type FormProps<Choice> = {
  projectId: string
  /** How many items are added; undefined for a single one. */
  count?: string
  isPending?: boolean
  error?: unknown
  onSubmit: (choice: Choice) => void
  onClose: () => void
}
