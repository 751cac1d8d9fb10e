export { InvitationsPage } from './InvitationsPage'
export { MembersPage } from './MembersPage'
export { ProjectMembersPage } from './ProjectMembersPage'
