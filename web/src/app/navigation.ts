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
import { can } from '@/shared/currentUser'
import { partsOf } from '@/shared/lib/paths'

/** A page of a project in the rail and in the palette. */
export type NavigationItem = {
  label: string
  /** The path below /project/{id}. */
  path: string
  icon: LucideIcon
  shortcut: string
  /** Having any of these permissions is enough to see the page. */
  needs: readonly string[]
}

export type NavigationGroup = { label: string; items: readonly NavigationItem[] }

/** The groups of the rail, in order. The shortcut is the key pressed after G. */
const navigation: readonly NavigationGroup[] = [
  {
    label: 'Overview',
    items: [
      { label: 'Home', path: '', icon: House, shortcut: 'h', needs: ['traces:read'] },
      {
        label: 'Dashboards',
        path: 'dashboards',
        icon: ChartLine,
        shortcut: 'b',
        needs: ['traces:read'],
      },
    ],
  },
  {
    label: 'Observe',
    items: [
      { label: 'Traces', path: 'traces', icon: ListTree, shortcut: 't', needs: ['traces:read'] },
      {
        label: 'Sessions',
        path: 'sessions',
        icon: MessagesSquare,
        shortcut: 's',
        needs: ['traces:read'],
      },
      { label: 'Users', path: 'users', icon: Users, shortcut: 'u', needs: ['traces:read'] },
      { label: 'Scores', path: 'scores', icon: Star, shortcut: 'c', needs: ['scores:read'] },
    ],
  },
  {
    label: 'Prompts',
    items: [
      { label: 'Prompts', path: 'prompts', icon: FileText, shortcut: 'p', needs: ['prompts:read'] },
      {
        label: 'Playground',
        path: 'playground',
        icon: Play,
        shortcut: 'l',
        needs: ['prompts:read'],
      },
    ],
  },
  {
    label: 'Evaluate',
    items: [
      {
        label: 'Datasets',
        path: 'datasets',
        icon: Database,
        shortcut: 'd',
        needs: ['datasets:read'],
      },
      {
        label: 'Experiments',
        path: 'experiments',
        icon: FlaskConical,
        shortcut: 'x',
        needs: ['traces:read'],
      },
      { label: 'Evaluators', path: 'evals', icon: Gauge, shortcut: 'e', needs: ['scores:read'] },
      {
        label: 'Annotation',
        path: 'annotation-queues',
        icon: ClipboardCheck,
        shortcut: 'a',
        needs: ['scores:read', 'queues:annotate'],
      },
    ],
  },
  {
    label: 'Project',
    items: [
      {
        label: 'Settings',
        path: 'settings',
        icon: Settings,
        shortcut: ',',
        needs: ['traces:read'],
      },
    ],
  },
]

export const navigationItems: readonly NavigationItem[] = navigation.flatMap((group) => group.items)

/** The groups with the pages that the user may see: annotators see their queues and nothing else. */
export function navigationFor(
  project: { permissions: readonly string[] } | undefined,
): NavigationGroup[] {
  return navigation
    .map(({ label, items }) => ({
      label,
      items: items.filter((item) => item.needs.some((each) => can(project, each))),
    }))
    .filter((group) => group.items.length > 0)
}

/** The item whose page, or a page below it, is at this path. */
export function activeItem(pathname: string, projectId: string): NavigationItem | undefined {
  const [area, id, page = ''] = partsOf(pathname)
  if (area !== 'project' || id !== projectId) return undefined
  const path = page === 'observations' ? 'traces' : page
  return navigationItems.find((item) => item.path === path)
}
