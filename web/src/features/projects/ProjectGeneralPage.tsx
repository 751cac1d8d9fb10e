import { useProject } from '@/shared/currentUser'
import { PageHeader, Secret, Section } from '@/shared/ui'
import { Deletion } from './components/Deletion'
import { RenameForm } from './components/RenameForm'
import { RetentionForm } from './components/RetentionForm'

/** Name, id, retention and deletion of a project. */
export function ProjectGeneralPage() {
  const { project } = useProject()
  return (
    <>
      <PageHeader title={`${project.name} settings`} />
      <Section title="Name">
        <RenameForm key={project.name} />
      </Section>
      <Section title="Id" description="Identifies the project in the API.">
        <div className="max-w-md">
          <Secret label="Project id" value={project.id} />
        </div>
      </Section>
      <Section
        title="Retention"
        description="How long and how much trace data is kept. Older data is deleted within an hour; daily totals are kept."
      >
        <RetentionForm key={`${project.retentionDays} ${project.maxDataBytes}`} />
      </Section>
      <Section title="Delete the project" description="Deletes the project with all its data.">
        <Deletion />
      </Section>
    </>
  )
}
