import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react'
import { Dialog, Modal, ModalOverlay } from 'react-aria-components'
import { findProject, useSession } from '@/shared/currentUser'
import { cx } from '@/shared/lib/cx'
import { usePreference } from '@/shared/lib/preference'
import { railPreference } from '@/shared/lib/preferences'
import { navigationFor } from './navigation'
import { Rail } from './Rail'
import { TopBar } from './TopBar'
import { useKeptFocus } from './useKeptFocus'
import { useShortcuts } from './useShortcuts'

// Not needed for the first paint. They are fetched right after it, so that they open without delay.
const fetchAheadAfter = 1000
const loadPalette = () => import('./Palette')
const loadKeys = () => import('./KeyboardHelp')
const loadHelp = () => import('./HelpDialog')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const KeyboardHelp = lazy(async () => ({ default: (await loadKeys()).KeyboardHelp }))
const HelpDialog = lazy(async () => ({ default: (await loadHelp()).HelpDialog }))

/** The frame of every page after sign-in: rail, top bar, palette, shortcuts. On narrow screens the rail is a drawer. */
export function Shell({ children }: { children: ReactNode }) {
  const { projectId: named = '' } = useParams({ strict: false })
  // A project that the user may not see has no pages to navigate to.
  const project = findProject(useSession(), named)?.project
  const projectId = project?.id
  const pages = navigationFor(project).flatMap((group) => group.items)
  const isFolded = usePreference(railPreference) === 'folded'
  const [open, setOpen] = useState<'palette' | 'keys' | 'help' | 'drawer' | undefined>(undefined)
  const close = () => setOpen(undefined)
  useKeptFocus()
  useShortcuts(projectId, pages, {
    onPalette: () => setOpen('palette'),
    onHelp: () => setOpen('keys'),
  })
  // Prefetching is outside React. If it fails, the chunk is fetched on use.
  useEffect(() => {
    const load = () => void Promise.allSettled([loadPalette(), loadKeys(), loadHelp()])
    const id = setTimeout(load, fetchAheadAfter)
    return () => clearTimeout(id)
  }, [])
  return (
    <div className="flex h-full flex-col">
      <a
        href="#content"
        className="z-toast sr-only rounded-md bg-accent px-3 py-1 text-on-accent focus:not-sr-only focus:absolute focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <TopBar
        projectId={projectId}
        onDrawer={() => setOpen('drawer')}
        onPalette={() => setOpen('palette')}
        onHelp={() => setOpen('help')}
      />
      <div className="flex min-h-0 flex-1">
        <div
          className={cx(
            'hidden shrink-0 border-r border-border bg-surface-1 md:block',
            isFolded ? 'w-12' : 'w-48',
          )}
        >
          <Rail projectId={projectId} isFolded={isFolded} canFold onNavigate={close} />
        </div>
        <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col overflow-auto">
          {children}
        </main>
      </div>
      <ModalOverlay
        isOpen={open === 'drawer'}
        onOpenChange={(isOpen) => !isOpen && close()}
        isDismissable
        className="z-drawer fixed inset-0 bg-scrim md:hidden"
      >
        <Modal className="h-full w-64 border-r border-border bg-surface-1">
          <Dialog aria-label="Navigation" className="h-full outline-none">
            <Rail projectId={projectId} isFolded={false} onNavigate={close} />
          </Dialog>
        </Modal>
      </ModalOverlay>
      <Suspense>
        {open === 'palette' && (
          <Palette projectId={projectId} onClose={close} onHelp={() => setOpen('keys')} />
        )}
        {open === 'keys' && <KeyboardHelp pages={pages} onClose={close} />}
        {open === 'help' && <HelpDialog onKeys={() => setOpen('keys')} onClose={close} />}
      </Suspense>
    </div>
  )
}
