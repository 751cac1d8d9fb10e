export { queueSearchNames, queuesSearchNames, nextSearchNames } from './model/queue'
export { QueuePage } from './QueuePage'
export { QueuesPage } from './QueuesPage'
export { ReviewPage } from './ReviewPage'
