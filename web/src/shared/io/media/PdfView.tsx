import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/shared/ui'
import { useBlobAddress } from './useBlobAddress'

/**
 * A PDF in the browser's own viewer. Its bytes are fetched first, so that they are shown as a PDF whatever type the
 * server sends.
 */
export function PdfView({ address, name }: { address: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const isBlobUrl = address.startsWith('blob:') // created here, as a PDF
  const file = useQuery({
    queryKey: ['pdf', address],
    enabled: isOpen && !isBlobUrl,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const answer = await fetch(address, { signal })
      if (!answer.ok) throw new Error(`The file was answered ${answer.status}`)
      return new Blob([await answer.arrayBuffer()], { type: 'application/pdf' })
    },
  })
  const fetched = useBlobAddress(file.data)
  const shown = isBlobUrl && isOpen ? address : fetched
  if (shown !== undefined)
    return (
      // Browsers do not show PDFs in a sandboxed frame; the type of these bytes is fixed.
      // oxlint-disable-next-line react/iframe-missing-sandbox
      <iframe
        title={name}
        src={shown}
        className="h-[32rem] w-full max-w-3xl rounded-md border border-border"
      />
    )
  return (
    <div className="flex items-center gap-2">
      <Button
        size="sm"
        icon={<FileText aria-hidden />}
        isPending={file.isFetching}
        onPress={() => setOpen(true)}
      >
        Show PDF
      </Button>
      {file.isError && <span className="text-danger">Couldn’t load it.</span>}
    </div>
  )
}
