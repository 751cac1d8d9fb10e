import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { NewConnectionPage } from '@/features/connections'

export const Route = createFileRoute('/_app/project/$projectId/settings/llm-connections/new')({
  validateSearch: v.looseObject({ like: v.optional(v.fallback(v.string(), '')) }),
  component: NewConnectionPage,
})
