/** The path prefix of the server, "" or "/almanac"; the server writes it into the page. */
export const basePath: string = readBasePath()

function readBasePath(): string {
  if (typeof document === 'undefined') return ''
  return document.querySelector('meta[name="almanac-base"]')?.getAttribute('content') ?? ''
}

/**
 * The path to return to after sign-in, if it is on this server and not on another host. Anything else becomes the start
 * page.
 */
export function safeReturnPath(text: string | undefined): string {
  if (!text || !text.startsWith('/') || hasControlCharacter(text)) return '/'
  // Browsers read "/\" as "//", and "//host" as another host.
  if (/^\/[/\\]/.test(text)) return '/'
  const base = 'http://almanac.invalid'
  try {
    const url = new URL(text, base)
    if (url.origin !== base || url.pathname.startsWith('//')) return '/'
    const path = url.pathname + url.search + url.hash
    // Somebody who has just signed in does not want to sign in again.
    return /^\/auth\/sign-in(?:[/?#]|$)/.test(path) ? '/' : path
  } catch {
    return '/'
  }
}

function hasControlCharacter(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    if (code < 0x20 || code === 0x7f) return true
  }
  return false
}
