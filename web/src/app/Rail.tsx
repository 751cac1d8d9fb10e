import { Link, useLocation, type LinkProps } from '@tanstack/react-router'
import { Bell, Building2, PanelLeftClose, PanelLeftOpen, User } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import { railPreference } from '@/shared/lib/preferences'
import { IconButton } from '@/shared/ui'
import { findProject, useSession } from '@/shared/currentUser'
import { activeItem, navigationFor } from './navigation'

type RailProps = {
  projectId: string | undefined
  isFolded: boolean
  canFold?: boolean
  onNavigate: () => void
}

/** The side navigation: the pages of the project or, outside a project, organizations and the account. */
export function Rail({ projectId, isFolded, canFold, onNavigate }: RailProps) {
  const { pathname } = useLocation()
  const session = useSession()
  const active = projectId === undefined ? undefined : activeItem(pathname, projectId)
  return (
    <nav aria-label="Pages" className="flex h-full flex-col overflow-y-auto p-2">
      <div className="flex flex-1 flex-col gap-3">
        {projectId === undefined ? (
          <ul>
            <RailLink
              to="/"
              label="Organizations"
              icon={<Building2 aria-hidden />}
              isActive={pathname === '/'}
              isFolded={isFolded}
              onNavigate={onNavigate}
            />
            <RailLink
              to="/account/settings"
              label="Account"
              icon={<User aria-hidden />}
              isActive={pathname === '/account/settings'}
              isFolded={isFolded}
              onNavigate={onNavigate}
            />
            <RailLink
              to="/account/inbox"
              label="Inbox"
              icon={<Bell aria-hidden />}
              isActive={pathname === '/account/inbox'}
              isFolded={isFolded}
              onNavigate={onNavigate}
            />
          </ul>
        ) : (
          navigationFor(findProject(session, projectId)?.project).map((group, index) => (
            <div key={group.label}>
              {isFolded
                ? index > 0 && <hr className="mx-1 mb-2 border-border" />
                : index > 0 && <p className="px-2 pb-0.5 text-xs text-text-3">{group.label}</p>}
              <ul>
                {group.items.map((item) => (
                  <RailLink
                    key={item.label}
                    to={item.to}
                    params={{ projectId, _splat: item.splat }}
                    label={item.label}
                    // It has no route of its own yet.
                    isUnfinished={item.splat !== undefined}
                    icon={<item.icon aria-hidden />}
                    isActive={active === item}
                    isFolded={isFolded}
                    onNavigate={onNavigate}
                  />
                ))}
              </ul>
            </div>
          ))
        )}
      </div>
      {canFold && (
        <IconButton
          size="sm"
          label={isFolded ? 'Expand sidebar' : 'Collapse sidebar'}
          icon={isFolded ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
          onPress={() => railPreference.set(isFolded ? 'open' : 'folded')}
          className={isFolded ? 'mx-auto' : ''}
        />
      )}
    </nav>
  )
}

type RailLinkProps = Pick<LinkProps, 'to' | 'params'> & {
  label: string
  icon: ReactNode
  isActive: boolean
  isFolded: boolean
  /** The page shows raw data so far. */
  isUnfinished?: boolean
  onNavigate: () => void
}

function RailLink(props: RailLinkProps) {
  const { to, params, label, icon, isActive, isFolded, isUnfinished, onNavigate } = props
  const name = isUnfinished === true ? `${label}, not finished yet` : label
  return (
    <li>
      <Link
        to={to}
        params={params}
        // By default the router also marks the ancestors of the open page. aria-current below marks the current one.
        activeOptions={{ exact: true }}
        onClick={onNavigate}
        aria-current={isActive ? 'page' : undefined}
        aria-label={isFolded ? name : undefined}
        title={isFolded ? name : undefined}
        className={cx(
          'flex h-7 items-center gap-2 rounded-md px-2 [&_svg]:size-4 [&_svg]:shrink-0',
          isFolded && 'justify-center',
          isActive
            ? 'bg-surface-3 font-medium text-text-1'
            : 'text-text-2 hover:bg-surface-2 hover:text-text-1',
        )}
      >
        {icon}
        {!isFolded && label}
        {!isFolded && isUnfinished && (
          <span className="ml-auto text-xs text-text-3">
            soon<span className="sr-only">, not finished yet</span>
          </span>
        )}
      </Link>
    </li>
  )
}
