export { SkillEditorPage } from './SkillEditorPage'
export { SkillPage } from './SkillPage'
export { SkillsPage } from './SkillsPage'
