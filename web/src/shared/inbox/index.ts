export { useInbox, useReadInbox, useUnread, type InboxEntry } from './useInbox'
