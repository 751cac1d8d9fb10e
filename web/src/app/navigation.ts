import type { LinkProps } from '@tanstack/react-router'
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

type ProjectPage = Extract<LinkProps['to'], `/project/$projectId${string}`>

/** A page of a project in the rail and in the palette. */
export type NavigationItem = {
  label: string
  /** The page's route; `splat` is the rest of the path of pages that have no route of their own yet. */
  to: ProjectPage
  splat?: string
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
      {
        label: 'Home',
        to: '/project/$projectId',
        icon: House,
        shortcut: 'h',
        needs: ['traces:read'],
      },
      {
        label: 'Dashboards',
        to: '/project/$projectId/$',
        splat: 'dashboards',
        icon: ChartLine,
        shortcut: 'b',
        needs: ['traces:read'],
      },
    ],
  },
  {
    label: 'Observe',
    items: [
      {
        label: 'Traces',
        to: '/project/$projectId/traces',
        icon: ListTree,
        shortcut: 't',
        needs: ['traces:read'],
      },
      {
        label: 'Sessions',
        to: '/project/$projectId/sessions',
        icon: MessagesSquare,
        shortcut: 's',
        needs: ['traces:read'],
      },
      {
        label: 'Users',
        to: '/project/$projectId/users',
        icon: Users,
        shortcut: 'u',
        needs: ['traces:read'],
      },
      {
        label: 'Scores',
        to: '/project/$projectId/scores',
        icon: Star,
        shortcut: 'c',
        needs: ['scores:read'],
      },
    ],
  },
  {
    label: 'Prompts',
    items: [
      {
        label: 'Prompts',
        to: '/project/$projectId/prompts',
        icon: FileText,
        shortcut: 'p',
        needs: ['prompts:read'],
      },
      {
        label: 'Playground',
        to: '/project/$projectId/playground',
        icon: Play,
        shortcut: 'l',
        needs: ['playground:run'],
      },
    ],
  },
  {
    label: 'Evaluate',
    items: [
      {
        label: 'Datasets',
        to: '/project/$projectId/datasets',
        icon: Database,
        shortcut: 'd',
        needs: ['datasets:read'],
      },
      {
        label: 'Experiments',
        to: '/project/$projectId/experiments',
        icon: FlaskConical,
        shortcut: 'x',
        needs: ['traces:read'],
      },
      {
        label: 'Evaluators',
        to: '/project/$projectId/$',
        splat: 'evals',
        icon: Gauge,
        shortcut: 'e',
        needs: ['scores:read'],
      },
      {
        label: 'Annotation',
        to: '/project/$projectId/annotation-queues',
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
        to: '/project/$projectId/settings',
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
  const path = Object.hasOwn(partOf, page) ? partOf[page] : page
  return navigationItems.find((item) => pathOf(item) === path)
}

/** Pages that belong to the item of another one. */
const partOf: Record<string, string> = {
  observations: 'traces',
  skills: 'prompts',
  'new-skill': 'prompts',
}

/** The path of an item's page below that of the project. */
export function pathOf({ to, splat }: NavigationItem): string {
  return splat ?? to.slice('/project/$projectId/'.length)
}
