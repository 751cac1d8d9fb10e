import { sessionMap } from '@/shared/lib/sessionState'

/** A key pair, as used in snippets. */
export type KeyPair = { publicKey: string; secretKey: string }

const pairs = sessionMap<string, KeyPair>()

/**
 * Keeps newly created keys for the project's snippet until the page is closed or the session ends: the server shows a secret only once, and
 * nothing stores it in the browser.
 */
export function rememberKeys(projectId: string, pair: KeyPair): void {
  pairs.set(projectId, { publicKey: pair.publicKey, secretKey: pair.secretKey })
}

export function recallKeys(projectId: string): KeyPair | undefined {
  return pairs.get(projectId)
}
