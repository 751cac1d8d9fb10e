import { Link, useParams, useSearch } from '@tanstack/react-router'
import { FilePlus2, Tag } from 'lucide-react'
import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { QueryView } from '@/shared/errors'
import { cx } from '@/shared/lib/cx'
import { authorName } from '@/shared/prompts'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { Badge, Button, buttonClass, CodeBlock, EmptyState, Time } from '@/shared/ui'
import { useFileContent, useSkill, useSkillVersions } from './api/useSkills'
import { LabelsDialog } from './components/LabelsDialog'
import { mainFile, sortedFiles, type Skill } from './model/files'

/** A skill: its versions, and the files of one of them. */
export function SkillPage() {
  const { project } = useProject()
  const { skillName } = useParams({ from: '/_app/project/$projectId/skills/$skillName' })
  const { version } = useSearch({ from: '/_app/project/$projectId/skills/$skillName' })
  const number = Number(version)
  const wanted = Number.isSafeInteger(number) && number > 0 ? number : undefined
  return (
    <GuardedPage
      frame="page"
      title={skillName}
      description={
        <Link to="/project/$projectId/skills" params={{ projectId: project.id }}>
          All skills
        </Link>
      }
      permission="prompts:read"
      doing="see the skills"
      actions={
        <NeedsRole doing="write versions of skills" permission="prompts:write">
          <Link
            to="/project/$projectId/new-skill"
            params={{ projectId: project.id }}
            search={{ name: skillName, version: wanted === undefined ? undefined : version }}
            className={buttonClass('primary', 'md')}
          >
            <FilePlus2 aria-hidden /> New version
          </Link>
        </NeedsRole>
      }
    >
      <div className="grid min-w-0 gap-6 md:grid-cols-[14rem_1fr]">
        <Versions projectId={project.id} skillName={skillName} version={wanted} />
        <Shown projectId={project.id} skillName={skillName} version={wanted} />
      </div>
    </GuardedPage>
  )
}

type OneProps = { projectId: string; skillName: string; version: number | undefined }

function Versions({ projectId, skillName, version }: OneProps) {
  const versions = useSkillVersions(projectId, skillName)
  const rows = versions.data?.pages.flatMap((page) => page.versions)
  const current = version ?? rows?.[0]?.version
  return (
    <nav aria-label="Versions" className="min-w-0">
      <QueryView query={{ ...versions, data: rows }} what="the versions" skeleton="h-40 w-full">
        {(found) => (
          <ol className="flex min-w-0 flex-col gap-0.5">
            {found.map((row) => (
              <li key={row.id}>
                <Link
                  to="/project/$projectId/skills/$skillName"
                  params={{ projectId, skillName }}
                  search={{ version: String(row.version) }}
                  aria-current={row.version === current ? 'page' : undefined}
                  className={cx(
                    'flex min-w-0 flex-col rounded-md px-2 py-1',
                    row.version === current ? 'bg-surface-2' : 'hover:bg-surface-1',
                  )}
                >
                  <span className="flex min-w-0 flex-wrap items-center gap-1">
                    <span className="tabular font-medium">Version {row.version}</span>
                    {row.labels.map((label) => (
                      <Badge key={label} tone={label === 'production' ? 'success' : 'neutral'}>
                        {label}
                      </Badge>
                    ))}
                  </span>
                  {row.commitMessage !== null && (
                    <bdi className="truncate text-sm text-text-2">{row.commitMessage}</bdi>
                  )}
                  <span className="truncate text-sm text-text-3">
                    <Time at={row.createdAt} /> by <bdi>{authorName(row.createdBy)}</bdi>
                  </span>
                </Link>
              </li>
            ))}
            {versions.hasNextPage && (
              <li>
                <Button
                  size="sm"
                  variant="ghost"
                  isPending={versions.isFetchingNextPage}
                  onPress={() => void versions.fetchNextPage()}
                >
                  Older versions
                </Button>
              </li>
            )}
          </ol>
        )}
      </QueryView>
    </nav>
  )
}

function Shown({ projectId, skillName, version }: OneProps) {
  const skill = useSkill(projectId, skillName, version)
  return (
    <QueryView query={skill} what="the skill" skeleton="h-64 w-full">
      {(found) => <Files projectId={projectId} skill={found} />}
    </QueryView>
  )
}

function Files({ projectId, skill }: { projectId: string; skill: Skill }) {
  const { file } = useSearch({ from: '/_app/project/$projectId/skills/$skillName' })
  const { can } = useProject()
  const [isLabelling, setLabelling] = useState(false)
  const files = sortedFiles(skill.files)
  const shown = files.find(({ path }) => path === (file ?? mainFile)) ?? files[0]
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <p className="text-text-2">
        <bdi>{skill.description}</bdi>
      </p>
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="text-text-3">Version {skill.version}</span>
        {skill.labels.map((label) => (
          <Badge key={label} tone={label === 'production' ? 'success' : 'neutral'}>
            {label}
          </Badge>
        ))}
        {can('prompts:write') && (
          <Button
            size="sm"
            variant="ghost"
            icon={<Tag aria-hidden />}
            onPress={() => setLabelling(true)}
          >
            Labels
          </Button>
        )}
      </div>
      <nav aria-label="Files">
        <ul className="flex flex-wrap gap-1">
          {files.map(({ path }) => (
            <li key={path} className="min-w-0">
              <Link
                to="."
                search={(before: object) => ({ ...before, file: path })}
                aria-current={path === shown?.path ? 'page' : undefined}
                className={cx(
                  'flex h-7 min-w-0 items-center rounded-md border px-2 font-mono text-sm',
                  path === shown?.path
                    ? 'border-accent bg-accent-soft'
                    : 'border-border hover:bg-surface-1',
                )}
              >
                <bdi className="truncate">{path}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {shown ? (
        <FileView projectId={projectId} path={shown.path} hash={shown.sha256Hash} />
      ) : (
        <EmptyState title="This version has no files" />
      )}
      <LabelsDialog
        projectId={projectId}
        skill={skill}
        isOpen={isLabelling}
        onClose={() => setLabelling(false)}
      />
    </div>
  )
}

function FileView(props: { projectId: string; path: string; hash: string }) {
  const content = useFileContent(props.projectId, props.hash)
  return (
    <QueryView query={content} what="the file" skeleton="h-64 w-full">
      {(text) => <CodeBlock label={props.path} code={text} wrap />}
    </QueryView>
  )
}
