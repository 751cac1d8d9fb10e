import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { BookOpen, Plus } from 'lucide-react'
import { useProject } from '@/shared/currentUser'
import { pagedTableProps } from '@/shared/errors'
import { useSearchState } from '@/shared/lib/useSearchState'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { DataTable, timeColumn, useTableState } from '@/shared/table'
import { Badge, buttonClass, EmptyState, SearchField } from '@/shared/ui'
import { useSkills, type SkillSummary } from './api/useSkills'

/** The skills of the project: folders of instructions for agents. */
export function SkillsPage() {
  const { project } = useProject()
  return (
    <GuardedPage
      frame="fill"
      title="Skills"
      description="A skill is a set of text files with instructions for an agent. Every change is a version."
      permission="prompts:read"
      doing="see the skills"
      actions={
        <>
          <Link
            to="/project/$projectId/prompts"
            params={{ projectId: project.id }}
            className={buttonClass('ghost', 'md')}
          >
            Prompts
          </Link>
          <NeedsRole doing="create skills" permission="prompts:write">
            <Link
              to="/project/$projectId/new-skill"
              params={{ projectId: project.id }}
              className={buttonClass('primary', 'md')}
            >
              <Plus aria-hidden /> New skill
            </Link>
          </NeedsRole>
        </>
      }
    >
      <SkillTable projectId={project.id} />
    </GuardedPage>
  )
}

function SkillTable({ projectId }: { projectId: string }) {
  const { search = '' } = useSearch({ from: '/_app/project/$projectId/skills/' })
  const [, change] = useSearchState()
  const [state, setState] = useTableState()
  const skills = useSkills(projectId, search)
  const navigate = useNavigate()
  return (
    <DataTable<SkillSummary>
      label="Skills"
      isMain
      columns={[
        {
          id: 'name',
          header: 'Name',
          width: 200,
          required: true,
          cell: (row) => (
            <Link
              to="/project/$projectId/skills/$skillName"
              params={{ projectId, skillName: row.name }}
              className="truncate hover:underline"
            >
              {row.name}
            </Link>
          ),
        },
        {
          id: 'description',
          header: 'Description',
          width: 320,
          grows: true,
          cell: (row) => <bdi title={row.description}>{row.description}</bdi>,
        },
        {
          id: 'latest',
          header: 'Latest',
          width: 80,
          cell: (row) => <span className="tabular">v{row.latestVersion}</span>,
        },
        {
          id: 'production',
          header: 'Production',
          width: 110,
          cell: (row) =>
            row.productionVersion !== null && (
              <Badge tone="success">production v{row.productionVersion}</Badge>
            ),
        },
        {
          id: 'tags',
          header: 'Tags',
          width: 160,
          cell: (row) => (
            <span className="flex gap-1">
              {row.tags.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
            </span>
          ),
        },
        timeColumn('created', 'Changed', (row) => row.latestVersionCreatedAt, { width: 110 }),
      ]}
      rows={skills.data?.pages.flatMap((page) => page.data)}
      rowId={(row) => row.name}
      resetKey={search}
      state={state}
      onStateChange={setState}
      onOpen={(row) =>
        void navigate({
          to: '/project/$projectId/skills/$skillName',
          params: { projectId, skillName: row.name },
        })
      }
      {...pagedTableProps(skills, 'skills')}
      toolbar={
        <SearchField
          label="Search skills"
          placeholder="Search names and descriptions"
          value={search}
          onChange={(text) => change({ search: text === '' ? undefined : text })}
        />
      }
      empty={
        search === '' ? (
          <EmptyState icon={<BookOpen aria-hidden />} title="No skills yet">
            Write instructions that several agents share as a skill: agents read SKILL.md first, and
            other files when they need them.
          </EmptyState>
        ) : (
          <EmptyState icon={<BookOpen aria-hidden />} title="No skill matches">
            No name or description contains “{search}”.
          </EmptyState>
        )
      }
    />
  )
}
