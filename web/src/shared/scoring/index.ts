export { useDeleteScores, usePutScore } from './api/useScoreChange'
export { useChangeScoreConfig, useCreateScoreConfig, useScoreConfigs } from './api/useScoreConfigs'
export { PutScore } from './components/PutScore'
export { ScoreForm } from './components/ScoreForm'
export {
  dataTypes,
  changedScore,
  mayEdit,
  newScore,
  scoreText,
  sourceLabel,
  scoreProblems,
  sources,
  toScoreValues,
  type NewScore,
  type NewScoreConfig,
  type Score,
  type ScoreConfig,
  type ScoreConfigChange,
  type Scored,
  type ScoreValues,
} from './model/scoring'
export { ScoreDialog } from './ScoreDialog'
