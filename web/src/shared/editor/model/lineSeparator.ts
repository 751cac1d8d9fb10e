/**
 * What ends the lines of a text. The editor reads every kind of line ending and writes one of them; a text that mixes them
 * keeps its carriage returns as characters, so that no edit changes the rest of the text.
 */
export function lineSeparatorOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') && !/(?:^|[^\r])\n|\r(?!\n)/.test(text) ? '\r\n' : '\n'
}
