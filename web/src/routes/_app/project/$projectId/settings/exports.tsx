import { createFileRoute } from '@tanstack/react-router'
import { ExportsPage } from '@/features/exports'
import { printCondition, printQuery } from '@/features/traceList'
import { tableSearchNames } from '@/shared/table'
import { strings } from '@/shared/lib/search'

export const Route = createFileRoute('/_app/project/$projectId/settings/exports')({
  validateSearch: strings(...tableSearchNames),
  component: () => <ExportsPage printer={printer} />,
})

const printer = {
  printCondition,
  printSearch: (search: string) => printQuery({ conditions: [], search }),
}
