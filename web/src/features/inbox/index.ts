export { InboxPage } from './InboxPage'
