export { Editor, type EditorProps } from './Editor'
export type { EditorMode } from './model/problemsOf'
export type { Problem } from './model/problem'
export { variableNames, variablePattern, variablesOf } from './model/variables'
