/** The looks of links in text, for the router's Link as well. */
export const linkClass =
  'text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent'
