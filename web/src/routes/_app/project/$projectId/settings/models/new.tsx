import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { NewModelPage } from '@/features/models'

export const Route = createFileRoute('/_app/project/$projectId/settings/models/new')({
  validateSearch: v.looseObject({
    name: v.optional(v.fallback(v.string(), '')),
    like: v.optional(v.fallback(v.string(), '')),
  }),
  component: NewModelPage,
})
