import { linkOptions, useNavigate, useParams, type NavigateOptions } from '@tanstack/react-router'
import { Check, ChevronsUpDown, Plus } from 'lucide-react'
import { useState } from 'react'
import {
  Autocomplete,
  Button as AriaButton,
  Collection,
  Dialog,
  DialogTrigger,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Popover,
  TextField,
  useFilter,
} from 'react-aria-components'
import { findOrganization, findProject, useSession } from '@/shared/currentUser'
import { cx } from '@/shared/lib/cx'

const projectHome = (projectId: string) =>
  linkOptions({ to: '/project/$projectId', params: { projectId } })
const organizationHome = (organizationId: string) =>
  linkOptions({ to: '/organization/$organizationId', params: { organizationId } })

/** Shows the current project or organization and switches to another; typing filters the list. */
export function ProjectSwitcher({ projectId }: { projectId: string | undefined }) {
  const session = useSession()
  const navigate = useNavigate()
  const { organizationId } = useParams({ strict: false })
  const { contains } = useFilter({ sensitivity: 'base' })
  const [isOpen, setOpen] = useState(false)
  const here = projectId === undefined ? undefined : findProject(session, projectId)
  const organization = here?.organization ?? findOrganization(session, organizationId ?? '')
  const go = (to: NavigateOptions) => {
    setOpen(false)
    void navigate(to)
  }
  const item =
    'flex h-7 cursor-default items-center gap-2 rounded-sm px-2 outline-none data-focused:bg-surface-2 [&_svg]:size-4 [&_svg]:shrink-0'
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <AriaButton className="flex h-8 min-w-0 max-w-[60vw] items-center gap-1 rounded-md px-2 hover:bg-surface-2 sm:max-w-80">
        <span className={cx('truncate', here && 'hidden text-text-3 lg:inline')}>
          {organization?.name ?? 'Organizations'}
        </span>
        {here && (
          <>
            <span aria-hidden className="hidden text-text-3 lg:inline">
              /
            </span>
            <span className="truncate font-medium">{here.project.name}</span>
          </>
        )}
        <span className="sr-only">, switch project</span>
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-text-3" />
      </AriaButton>
      <Popover
        placement="bottom start"
        className="z-overlay w-72 rounded-md bg-surface-0 shadow-pop outline-none"
      >
        <Dialog
          aria-label="Organizations and projects"
          className="flex max-h-96 flex-col outline-none"
        >
          <Autocomplete filter={contains}>
            <TextField aria-label="Find a project" autoFocus className="border-b border-border p-1">
              <Input
                placeholder="Find a project"
                className="h-8 w-full bg-transparent px-2 outline-none"
              />
            </TextField>
            <Menu
              aria-label="Projects"
              className="overflow-auto p-1 outline-none"
              renderEmptyState={() => <p className="px-2 py-1 text-text-3">No matching project</p>}
            >
              <Collection items={session.organizations}>
                {(each) => (
                  <MenuSection id={each.id}>
                    <Header className="px-2 pt-1 text-xs text-text-3">{each.name}</Header>
                    <Collection items={each.projects}>
                      {(project) => (
                        <MenuItem
                          id={project.id}
                          textValue={`${project.name} ${each.name}`}
                          onAction={() => go(projectHome(project.id))}
                          className={item}
                        >
                          <span className="min-w-0 flex-1 truncate">{project.name}</span>
                          {project.id === projectId && <Check aria-label="here" />}
                        </MenuItem>
                      )}
                    </Collection>
                    <MenuItem
                      id={`organization ${each.id}`}
                      textValue={`${each.name} organization`}
                      onAction={() => go(organizationHome(each.id))}
                      className={cx(item, 'text-text-3')}
                    >
                      Everything in {each.name}
                    </MenuItem>
                  </MenuSection>
                )}
              </Collection>
              <MenuItem
                id="all"
                textValue="All organizations, new project"
                onAction={() => go({ to: '/' })}
                className={cx(item, 'text-text-2')}
              >
                <Plus aria-hidden />
                Organizations and new projects
              </MenuItem>
            </Menu>
          </Autocomplete>
        </Dialog>
      </Popover>
    </DialogTrigger>
  )
}
