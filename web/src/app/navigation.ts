import {
  ChartLine,
  ClipboardCheck,
  Database,
  FileText,
  FlaskConical,
  Gauge,
  House,
  ListTree,
  MessagesSquare,
  Play,
  Settings,
  Star,
  Users,
  type LucideIcon,
} from 'lucide-react'
import { partsOf } from '@/lib/paths'

/** A page of a project in the rail and in the palette. `path` is what comes after /project/{id}. */
export type NavigationItem = { label: string; path: string; icon: LucideIcon; shortcut: string }

/** The groups of the rail, in their order. The shortcut is the second key after G. */
export const navigation: readonly { label: string; items: readonly NavigationItem[] }[] = [
  {
    label: 'Overview',
    items: [
      { label: 'Home', path: '', icon: House, shortcut: 'h' },
      { label: 'Dashboards', path: 'dashboards', icon: ChartLine, shortcut: 'b' },
    ],
  },
  {
    label: 'Observe',
    items: [
      { label: 'Traces', path: 'traces', icon: ListTree, shortcut: 't' },
      { label: 'Sessions', path: 'sessions', icon: MessagesSquare, shortcut: 's' },
      { label: 'Users', path: 'users', icon: Users, shortcut: 'u' },
      { label: 'Scores', path: 'scores', icon: Star, shortcut: 'c' },
    ],
  },
  {
    label: 'Prompts',
    items: [
      { label: 'Prompts', path: 'prompts', icon: FileText, shortcut: 'p' },
      { label: 'Playground', path: 'playground', icon: Play, shortcut: 'l' },
    ],
  },
  {
    label: 'Evaluate',
    items: [
      { label: 'Datasets', path: 'datasets', icon: Database, shortcut: 'd' },
      { label: 'Experiments', path: 'experiments', icon: FlaskConical, shortcut: 'x' },
      { label: 'Evaluators', path: 'evals', icon: Gauge, shortcut: 'e' },
      { label: 'Annotation', path: 'annotation-queues', icon: ClipboardCheck, shortcut: 'a' },
    ],
  },
  {
    label: 'Project',
    items: [{ label: 'Settings', path: 'settings', icon: Settings, shortcut: ',' }],
  },
]

export const navigationItems: readonly NavigationItem[] = navigation.flatMap((group) => group.items)

/** The item whose page, or a page below it, is at an address. */
export function activeItem(pathname: string, projectId: string): NavigationItem | undefined {
  const [area, id, page = ''] = partsOf(pathname)
  if (area !== 'project' || id !== projectId) return undefined
  const path = page === 'observations' ? 'traces' : page
  return navigationItems.find((item) => item.path === path)
}
