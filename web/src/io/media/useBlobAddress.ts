import { useEffect, useState } from 'react'

/** An address of bytes that the browser has, as long as the component is there. */
export function useBlobAddress(blob: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  // Addresses of blobs are kept by the browser until they are given back.
  useEffect(() => {
    if (!blob) return
    const created = URL.createObjectURL(blob)
    // oxlint-disable-next-line react/set-state-in-effect
    setAddress(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return blob && address
}
