const same: Record<string, string> = {
  human: 'user',
  ai: 'assistant',
  aimessagechunk: 'assistant',
  model: 'assistant',
  bot: 'assistant',
  function: 'tool',
}

/** One word for each role, whatever a library calls it. */
export function roleOf(word: string): string {
  const lower = word.toLowerCase()
  return same[lower] ?? lower
}
