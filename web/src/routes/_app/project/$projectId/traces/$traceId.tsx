import { createFileRoute } from '@tanstack/react-router'
import { TracePage, traceSearchNames } from '@/features/traceDetail'
import { TraceSteps } from '@/features/traceList'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/traces/$traceId')({
  validateSearch: strings(...traceSearchNames),
  component: Page,
})

function Page() {
  return <TracePage steps={<TraceSteps {...Route.useParams()} />} />
}
