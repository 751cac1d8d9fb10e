import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/ui'
import { useBlobAddress } from './useBlobAddress'

/** A PDF in the browser's own viewer. Its bytes are fetched first: whatever the server says they are, they are shown as a PDF. */
export function PdfView({ address, name }: { address: string; name: string }) {
  const [isOpen, setOpen] = useState(false)
  const isHere = address.startsWith('blob:') // made by us, as a PDF
  const file = useQuery({
    queryKey: ['pdf', address],
    enabled: isOpen && !isHere,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const answer = await fetch(address, { signal })
      if (!answer.ok) throw new Error(`The file was answered ${answer.status}`)
      return new Blob([await answer.arrayBuffer()], { type: 'application/pdf' })
    },
  })
  const fetched = useBlobAddress(file.data)
  const shown = isHere && isOpen ? address : fetched
  if (shown !== undefined)
    return (
      // Browsers show no PDF in a frame with a sandbox; these bytes are shown as nothing else.
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
      {file.isError && <span className="text-danger">It could not be loaded.</span>}
    </div>
  )
}
