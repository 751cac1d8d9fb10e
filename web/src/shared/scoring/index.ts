export { useDeleteScores, usePutScore } from './api/useScoreChange'
export { useChangeScoreConfig, useCreateScoreConfig, useScoreConfigs } from './api/useScoreConfigs'
export { ScoreForm } from './components/ScoreForm'
export {
  dataTypes,
  mayEdit,
  newScore,
  scoreText,
  sourceLabel,
  sources,
  type NewScore,
  type NewScoreConfig,
  type Score,
  type ScoreConfig,
  type ScoreConfigChange,
  type Scored,
  type ScoreValues,
} from './model/scoring'
export { ScoreDialog } from './ScoreDialog'
