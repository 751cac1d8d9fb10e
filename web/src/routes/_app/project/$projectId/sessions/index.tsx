import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ownersSearchEntries } from '@/shared/entityLists'
import { SessionsPage } from '@/features/sessions'

export const Route = createFileRoute('/_app/project/$projectId/sessions/')({
  validateSearch: v.looseObject(ownersSearchEntries),
  component: SessionsPage,
})
