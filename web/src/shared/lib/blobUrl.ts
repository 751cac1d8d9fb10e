/**
 * Types in which a browser runs nothing if it opens the blob URL in a tab: such a document has the rights of this
 * origin. XML types, SVG among them, end in +xml.
 */
const passiveType = /^(?:image|audio|video)\/[\w.-]+$|^application\/pdf$/

/** The type that a blob URL may have for bytes of the given type. */
export function passiveTypeOf(type: string): string {
  return passiveType.test(type) ? type : 'application/octet-stream'
}

/**
 * A URL for bytes that are here, until it is revoked. All blob URLs are created here: bytes of types that could run
 * scripts are plain bytes at their URL.
 */
export function createBlobUrl(blob: Blob): string {
  return URL.createObjectURL(blob.slice(0, blob.size, passiveTypeOf(blob.type)))
}
