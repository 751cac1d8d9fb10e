import { createFileRoute } from '@tanstack/react-router'
import { AccountPage } from '@/features/account'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/account/settings')({
  validateSearch: strings(...tableSearchNames),
  component: AccountPage,
})
