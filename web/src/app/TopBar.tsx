import { Link } from '@tanstack/react-router'
import {
  Bell,
  CircleHelp,
  LogOut,
  Menu as MenuIcon,
  Monitor,
  Moon,
  Search,
  Sun,
  User,
} from 'lucide-react'
import { Button as AriaButton } from 'react-aria-components'
import { useNavigate } from '@tanstack/react-router'
import { can, findProject, useSession, useSignOut, useUser } from '@/shared/currentUser'
import { useUnread } from '@/shared/inbox'
import { usePreference } from '@/shared/lib/preference'
import { themePreference, zonePreference, type Theme } from '@/shared/lib/preferences'
import { IconButton, KeyHint, Menu, SegmentedControl } from '@/shared/ui'
import { EnvironmentPicker } from './EnvironmentPicker'
import { ProjectSwitcher } from './ProjectSwitcher'
import { TimeRangePicker } from './TimeRangePicker'

type TopBarProps = {
  projectId: string | undefined
  onDrawer: () => void
  onPalette: () => void
  onHelp: () => void
}

const zones = [
  { id: 'local', label: 'Local' },
  { id: 'utc', label: 'UTC' },
] as const

const themes: Record<Theme, { next: Theme; label: string; icon: React.ReactNode }> = {
  system: { next: 'light', label: 'Theme: system', icon: <Monitor aria-hidden /> },
  light: { next: 'dark', label: 'Theme: light', icon: <Sun aria-hidden /> },
  dark: { next: 'system', label: 'Theme: dark', icon: <Moon aria-hidden /> },
}

/** Shows where the user is, the environments and time range of the page, and the user menu. */
export function TopBar({ projectId, onDrawer, onPalette, onHelp }: TopBarProps) {
  const zone = usePreference(zonePreference)
  const theme = themes[usePreference(themePreference)]
  const user = useUser()
  const project = findProject(useSession(), projectId ?? '')?.project
  const signOut = useSignOut()
  const navigate = useNavigate()
  return (
    <header className="z-bar flex min-h-11 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-border bg-surface-1 px-2 py-1 md:flex-nowrap">
      <IconButton
        label="Open navigation"
        icon={<MenuIcon aria-hidden />}
        onPress={onDrawer}
        className="md:hidden"
      />
      <Link
        to="/"
        aria-label="Almanac: organizations and projects"
        className="flex size-8 items-center justify-center rounded-md hover:bg-surface-2"
      >
        <svg aria-hidden viewBox="0 0 32 32" className="size-5 fill-accent">
          <path d="M7 26V6h3v20zM13 10h13v3H13zM13 16h8v3h-8zM13 23h11v3H13z" />
        </svg>
      </Link>
      <ProjectSwitcher projectId={projectId} />
      <div className="flex-1" />
      {projectId !== undefined && (
        <div className="order-last flex w-full items-center gap-2 md:order-none md:w-auto">
          {can(project, 'traces:read') && <EnvironmentPicker projectId={projectId} />}
          <TimeRangePicker />
          <SegmentedControl
            label="Time zone"
            options={zones}
            value={zone}
            onChange={zonePreference.set}
          />
        </div>
      )}
      <div className="flex items-center">
        <AriaButton
          onPress={onPalette}
          className="flex h-8 items-center gap-2 rounded-md px-2 text-text-3 hover:bg-surface-2 hover:text-text-1 [&_svg]:size-4"
        >
          <Search aria-hidden />
          <span className="sr-only">Search and go anywhere</span>
          <span className="hidden lg:inline">
            <KeyHint keys="Mod K" />
          </span>
        </AriaButton>
        <InboxLink />
        <IconButton
          label={theme.label}
          icon={theme.icon}
          onPress={() => themePreference.set(theme.next)}
          className="max-sm:hidden"
        />
        <IconButton
          label="What is this page?"
          icon={<CircleHelp aria-hidden />}
          onPress={onHelp}
          className="max-sm:hidden"
        />
        <Menu
          label="Account"
          placement="bottom end"
          trigger={
            <AriaButton
              aria-label={`Account of ${user.name || user.email}`}
              className="ml-1 flex size-7 items-center justify-center rounded-full bg-surface-3 text-sm font-medium text-text-1 hover:bg-accent-soft"
            >
              {(user.name || user.email).trim().charAt(0).toUpperCase()}
            </AriaButton>
          }
          actions={[
            {
              id: 'account',
              label: user.email,
              icon: <User aria-hidden />,
              onAction: () => void navigate({ to: '/account/settings' }),
            },
            {
              id: 'theme',
              label: theme.label,
              icon: theme.icon,
              onAction: () => themePreference.set(theme.next),
            },
            {
              id: 'help',
              label: 'What is this page?',
              icon: <CircleHelp aria-hidden />,
              onAction: onHelp,
            },
            {
              id: 'sign-out',
              label: 'Sign out',
              icon: <LogOut aria-hidden />,
              startsGroup: true,
              onAction: () => signOut.mutate(),
            },
          ]}
        />
      </div>
    </header>
  )
}

const mostShown = 99

/** The bell, with how much is unread. */
function InboxLink() {
  const unread = useUnread()
  const label = unread === 0 ? 'Inbox' : `Inbox, ${unread} unread`
  return (
    <Link
      to="/account/inbox"
      aria-label={label}
      title={label}
      className="relative flex size-8 items-center justify-center rounded-md text-text-2 hover:bg-surface-2 hover:text-text-1"
    >
      <Bell aria-hidden className="size-4" />
      {unread > 0 && (
        <span
          aria-hidden
          className="tabular absolute top-0.5 right-0 min-w-4 rounded-full bg-accent px-1 text-center text-xs leading-4 text-on-accent"
        >
          {unread > mostShown ? `${mostShown}+` : unread}
        </span>
      )}
    </Link>
  )
}
