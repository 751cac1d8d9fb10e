import { useEffect, useState } from 'react'
import { createBlobUrl } from '@/shared/lib/blobUrl'

/** A blob URL that is valid while the component is mounted. */
export function useBlobAddress(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  // The browser keeps blob URLs until they are revoked.
  useEffect(() => {
    if (!blob) return
    const created = createBlobUrl(blob)
    // oxlint-disable-next-line react/set-state-in-effect
    setAddress(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return blob && address
}
