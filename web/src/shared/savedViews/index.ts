export { useOpenView } from './api/useOpenView'
export { useSavedViews, type SavedView } from './api/useSavedViews'
export { ViewMenu } from './components/ViewMenu'
