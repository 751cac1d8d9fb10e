import { createFileRoute } from '@tanstack/react-router'
import * as v from 'valibot'
import { AccountPage } from '@/features/account'
import { tableSearchEntries } from '@/shared/table'

export const Route = createFileRoute('/_app/account/settings')({
  validateSearch: v.looseObject(tableSearchEntries),
  component: AccountPage,
})
