import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { ownersSearchEntries } from '@/shared/entityLists'
import { UsersPage } from '@/features/users'

export const Route = createFileRoute('/_app/project/$projectId/users/')({
  validateSearch: v.looseObject(ownersSearchEntries),
  component: UsersPage,
})
