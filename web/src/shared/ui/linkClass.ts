/** The style of links in text, also for the router's Link. */
export const linkClass =
  'text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent'
