import type { KeyPair } from '../keyMemory'

/** The lines that an application needs in its environment. */
export function environmentSnippet(address: string, keys: KeyPair): string {
  return [
    `LANGFUSE_PUBLIC_KEY="${keys.publicKey}"`,
    `LANGFUSE_SECRET_KEY="${keys.secretKey}"`,
    `LANGFUSE_BASE_URL="${address}"`,
  ].join('\n')
}
