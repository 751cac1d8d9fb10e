import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { TracePage, traceSearchEntries } from '@/features/traceDetail'

export const Route = createFileRoute('/_app/project/$projectId/traces/$traceId')({
  validateSearch: v.looseObject(traceSearchEntries),
  component: TracePage,
})
