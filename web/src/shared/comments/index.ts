export { Anchored } from './Anchored'
export { Comments } from './Comments'
export { useMemberNames } from './api/useMembers'
export type { CommentSubject } from './api/useComments'
