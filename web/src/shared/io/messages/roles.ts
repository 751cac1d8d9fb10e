const same: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  aimessagechunk: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  function: 'tool',
}

/** Normalizes the name of a role across libraries. */
export function roleOf(word: string): string {
  const lower = word.toLowerCase()
  return same[lower] ?? lower
}
