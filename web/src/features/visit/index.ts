export { VisitedTrace } from './VisitedTrace'
