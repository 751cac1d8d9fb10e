/** A random id. Also on pages without TLS, where browsers have no crypto.randomUUID. */
export function newId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
