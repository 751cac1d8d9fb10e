import { createFileRoute } from '@tanstack/react-router'
import { BlobStoragePage } from '@/features/blobStorage'

export const Route = createFileRoute('/_app/project/$projectId/settings/integrations/blobstorage')({
  component: BlobStoragePage,
})
