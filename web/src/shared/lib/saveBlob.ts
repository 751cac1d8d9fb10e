import { createBlobUrl } from './blobUrl'

/** Downloads a file whose content is here. */
export function saveBlob(blob: Blob, name: string): void {
  const address = createBlobUrl(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
