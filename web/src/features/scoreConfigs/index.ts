export { ScoreConfigsPage } from './ScoreConfigsPage'
