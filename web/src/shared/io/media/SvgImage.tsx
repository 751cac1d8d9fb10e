import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Skeleton } from '@/shared/ui'

type SvgImageProps = {
  /** Where the picture is fetched from, if its bytes are not here. */
  address: string
  content?: Blob
  alt: string
  className: string
  onError: () => void
}

/**
 * An SVG picture. It is shown from a data URI: unlike a URL of this origin, or a blob URL, it has no rights here if it is
 * opened in a tab, where its scripts would run.
 */
export function SvgImage({ address, content, alt, className, onError }: SvgImageProps) {
  const file = useQuery({
    queryKey: ['svg', address],
    enabled: content === undefined,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const answer = await fetch(address, { signal })
      if (!answer.ok) throw new Error(`The file was answered ${answer.status}`)
      return answer.blob()
    },
  })
  const source = useDataAddress(content ?? file.data)
  if (file.isError) return <p className="text-danger">Couldn’t load the picture.</p>
  if (source === undefined) return <Skeleton className="h-24 w-40" />
  return <img src={source} alt={alt} onError={onError} className={className} />
}

/** The bytes of an SVG picture as a data URI. */
function useDataAddress(bytes: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (!bytes) return
    const reader = new FileReader()
    reader.addEventListener('load', () => setAddress(String(reader.result)))
    reader.readAsDataURL(bytes.slice(0, bytes.size, 'image/svg+xml'))
    return () => reader.abort()
  }, [bytes])
  return bytes && address
}
