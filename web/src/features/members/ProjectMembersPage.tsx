import { Link } from '@tanstack/react-router'
import { QueryTable, toastFailure } from '@/shared/errors'
import {
  GuardedPage,
  grantableRoles,
  mayChange,
  NeedsRole,
  roleLabel,
  type Role,
} from '@/shared/roles'
import { useProject } from '@/shared/currentUser'
import { EmptyState, linkClass, Select, toast, type Option } from '@/shared/ui'
import { useProjectMembers, useSetProjectMember, type ProjectMember } from './api/useProjectMembers'
import { memberEmailColumn, memberNameColumn } from './components/memberColumns'

/** The users who may see the project, and the roles set in the project itself. */
export function ProjectMembersPage() {
  const { organization } = useProject()
  return (
    <GuardedPage
      frame="settings"
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
      permission="members:read"
      doing="see the members"
      actions={<NeedsRole doing="change roles" permission="members:write" />}
    >
      <ProjectMemberTable />
    </GuardedPage>
  )
}

/** Represents "no role in the project itself" in the select. */
const inherited = 'INHERITED'

function ProjectMemberTable() {
  const { project, can } = useProject()
  const members = useProjectMembers(project.id)
  const setMember = useSetProjectMember(project.id)
  const give = (member: ProjectMember, role: Role | null) =>
    setMember.mutate(
      { userId: member.userId, role },
      {
        onSuccess: () => toast(`The role of ${member.name || member.email} was changed`),
        onError: toastFailure('The role was not changed'),
      },
    )
  return (
    <QueryTable<ProjectMember>
      label="Members"
      what="the members"
      query={members}
      rows={members.data}
      rowId={(member) => member.userId}
      columns={[
        memberNameColumn(170),
        memberEmailColumn(200),
        {
          id: 'role',
          header: 'Effective role',
          width: 120,
          cell: (member) => roleLabel(member.role),
        },
        {
          id: 'organizationRole',
          header: 'In the organization',
          width: 140,
          cell: (member) => (
            <span className="text-text-3">{roleLabel(member.organizationRole)}</span>
          ),
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
      ]}
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
