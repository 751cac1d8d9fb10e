export { useDeleteScores } from './api/useScoreChange'
export { ScoreForm } from './components/ScoreForm'
export {
  dataTypes,
  mayEdit,
  newScore,
  scoreText,
  sourceLabel,
  sources,
  type NewScore,
  type Score,
  type ScoreConfig,
  type Scored,
  type ScoreValues,
} from './model/scoring'
export { ScoreDialog } from './ScoreDialog'
