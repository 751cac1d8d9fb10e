import { useOrganization } from '@/shared/currentUser'
import { Page, PageHeader } from '@/shared/ui'
import { ProjectList } from './ProjectList'

/** One organization with its projects. */
export function OrganizationPage() {
  const { organization } = useOrganization()
  return (
    <Page>
      <div className="flex w-full max-w-4xl flex-col">
        <PageHeader title={organization.name} />
        <ProjectList organization={organization} />
      </div>
    </Page>
  )
}
