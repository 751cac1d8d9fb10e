import { createBlobUrl } from './blobUrl'

/** Downloads a file whose content is here. */
export function saveBlob(blob: Blob, name: string): void {
  const address = createBlobUrl(blob)
  saveFrom(address, name)
  // The browser has started the download by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Downloads a file from an address of this origin. */
export function saveFrom(address: string, name: string): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
