import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { useState } from 'react'
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  TextField,
} from 'react-aria-components'
import { useFindId } from '@/shared/idLookup'
import { useSavedViews } from '@/shared/savedViews'
import { can, findProject, useSession, useSignOut } from '@/shared/currentUser'
import { itemClass } from '@/shared/ui'
import { matchEntries, paletteEntries, viewEntries, type PaletteEntry } from './paletteEntries'

type PaletteProps = {
  projectId: string | undefined
  onClose: () => void
  onHelp: () => void
}

/** The command palette: pages, projects, any pasted id, actions. */
export function Palette({ projectId, onClose, onHelp }: PaletteProps) {
  return (
    <ModalOverlay
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable
      className="z-overlay fixed inset-0 flex items-start justify-center bg-scrim p-4 pt-[10vh]"
    >
      <Modal className="w-full max-w-xl rounded-lg bg-surface-0 shadow-pop">
        <Dialog aria-label="Search and go anywhere" className="outline-none">
          <PaletteList projectId={projectId} onClose={onClose} onHelp={onHelp} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Mounted while the palette is open, so that it starts empty. */
function PaletteList({ projectId, onClose, onHelp }: PaletteProps) {
  const session = useSession()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const found = useFindId(projectId, text)
  const entries = paletteEntries(session, projectId, { onHelp, onSignOut: () => signOut.mutate() })
  const project = findProject(session, projectId ?? '')?.project
  const views = useSavedViews(projectId ?? '', can(project, 'traces:read'))
  const shown: PaletteEntry[] = [
    ...found.findings.map((finding) => ({ ...finding, words: '' })),
    ...matchEntries([...entries, ...viewEntries(projectId ?? '', views.data ?? [])], text),
  ]
  const run = (entry: (typeof shown)[number]) => {
    onClose()
    if (entry.to === undefined) entry.onRun()
    else {
      const { to, params, search, hash } = entry
      void navigate({ to, params, search, hash })
    }
  }
  return (
    <Autocomplete inputValue={text} onInputChange={setText}>
      <TextField
        aria-label="Search"
        autoFocus
        className="flex items-center gap-2 border-b border-border px-3"
      >
        <Search aria-hidden className="size-4 shrink-0 text-text-3" />
        <Input
          placeholder="Page, project, action, or any id"
          className="h-11 w-full bg-transparent text-lg outline-none"
        />
      </TextField>
      <Menu
        aria-label="Results"
        items={shown}
        className="max-h-[50vh] overflow-auto p-1 outline-none"
        renderEmptyState={() => (
          <p role="status" className="px-2 py-3 text-text-3">
            {found.isSearching
              ? 'Searching…'
              : 'Nothing found. Ids of traces, observations, sessions and users are looked up in the open project.'}
          </p>
        )}
      >
        {(entry) => (
          <MenuItem
            id={entry.id}
            textValue={entry.label}
            onAction={() => run(entry)}
            className={itemClass}
          >
            <span className="min-w-0 flex-1 truncate">{entry.label}</span>
            <span className="shrink-0 text-sm text-text-3">{entry.hint}</span>
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  )
}
