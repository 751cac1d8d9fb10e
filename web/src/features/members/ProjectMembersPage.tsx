import { Link } from '@tanstack/react-router'
import { LoadError, toastFailure } from '@/shared/errors'
import {
  Forbidden,
  grantableRoles,
  mayChange,
  NeedsRole,
  roleLabel,
  type Role,
} from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { tableHeight } from '@/shared/settings'
import { DataTable, sortRows, useTableState, type Column } from '@/shared/table'
import { EmptyState, linkClass, PageHeader, Select, toast, type Option } from '@/shared/ui'
import { useProjectMembers, useSetProjectMember, type ProjectMember } from './api/useProjectMembers'
import { MemberName } from './components/MemberName'

/** The users who may see the project, and the roles set in the project itself. */
export function ProjectMembersPage() {
  const { project, organization, can } = useProject()
  return (
    <>
      <PageHeader
        title="Members"
        description={
          <>
            Members of{' '}
            <Link
              to="/organization/$organizationId/settings/members"
              params={{ organizationId: organization.id }}
              className={linkClass}
            >
              {organization.name}
            </Link>
            . A project role overrides the organization role.
          </>
        }
        actions={
          can('members:read') &&
          !can('members:write') && (
            <NeedsRole doing="change roles" permission="members:write" level="project" />
          )
        }
      />
      {can('members:read') ? (
        <ProjectMemberTable />
      ) : (
        <Forbidden
          doing="see the members"
          permission="members:read"
          level="project"
          role={project.role}
        />
      )}
    </>
  )
}

/** Represents "no role in the project itself" in the select. */
const inherited = 'INHERITED'

function ProjectMemberTable() {
  const { project, can } = useProject()
  const members = useProjectMembers(project.id)
  const setMember = useSetProjectMember(project.id)
  const [state, setState] = useTableState()
  const give = (member: ProjectMember, role: Role | null) =>
    setMember.mutate(
      { userId: member.userId, role },
      {
        onSuccess: () => toast(`The role of ${member.name || member.email} was changed`),
        onError: toastFailure('The role was not changed'),
      },
    )
  const columns: Column<ProjectMember>[] = [
    {
      id: 'name',
      header: 'Name',
      width: 170,
      grows: true,
      required: true,
      sortable: true,
      cell: (member) => <MemberName member={member} />,
    },
    { id: 'email', header: 'Email', width: 200, sortable: true, cell: (member) => member.email },
    { id: 'role', header: 'Effective role', width: 120, cell: (member) => roleLabel(member.role) },
    {
      id: 'organizationRole',
      header: 'In the organization',
      width: 140,
      cell: (member) => <span className="text-text-3">{roleLabel(member.organizationRole)}</span>,
    },
    {
      id: 'projectRole',
      header: 'In this project',
      width: 220,
      cell: (member) =>
        can('members:write') && mayChange(project.role, member.role) ? (
          <Select
            label={`${member.name || member.email}’s role in this project`}
            hideLabel
            options={projectRoleOptions(project.role, member.organizationRole)}
            value={member.projectRole ?? inherited}
            className="w-48 [&_button]:h-6"
            onChange={(role) => give(member, role === inherited ? null : role)}
          />
        ) : member.projectRole === null ? (
          <span className="text-text-3">As in the organization</span>
        ) : (
          roleLabel(member.projectRole)
        ),
    },
  ]
  const rows =
    members.data &&
    sortRows(members.data, state, {
      name: (member) => member.name || member.email,
      email: (member) => member.email,
    })
  return (
    <DataTable
      label="Members"
      columns={columns}
      rows={rows}
      rowId={(member) => member.userId}
      state={state}
      onStateChange={setState}
      maxHeight={tableHeight}
      error={members.isError && <LoadError title="Couldn’t load the members" query={members} />}
      empty={<EmptyState title="Nobody has access to this project" />}
    />
  )
}

function projectRoleOptions(
  own: Role,
  inOrganization: Role,
): readonly Option<Role | typeof inherited>[] {
  return [
    {
      id: inherited,
      label: 'As in the organization',
      isDisabled: !mayChange(own, inOrganization),
    } as const,
    ...grantableRoles(own),
  ]
}
