export { useScoreConfigs, type ScoreConfig } from './api/useScoreConfigs'
export { ScoreConfigsPage } from './ScoreConfigsPage'
