import { useNavigate } from '@tanstack/react-router'
import { Download, Ellipsis, ShieldCheck, Trash2, Upload } from 'lucide-react'
import { toastFailure } from '@/shared/errors'
import { IconButton, Menu } from '@/shared/ui'
import { useExport, type Exported } from '../api/useExport'

type MoreMenuProps = {
  projectId: string
  folder: string | undefined
  mayWrite: boolean
  onOpen: (dialog: 'import' | 'deleted') => void
}

/** What concerns all prompts of the project or of the folder. */
export function MoreMenu({ projectId, folder, mayWrite, onOpen }: MoreMenuProps) {
  const save = useExport(projectId)
  const navigate = useNavigate()
  const run = (versions: Exported['versions']) =>
    save.mutate(
      { what: folder === undefined ? [] : [{ folder }], versions, title: folder ?? '' },
      { onError: toastFailure('The prompts could not be exported') },
    )
  const what = folder === undefined ? 'all prompts' : 'this folder'
  return (
    <Menu
      label="More"
      placement="bottom end"
      trigger={
        <IconButton
          label={save.isPending ? 'Exporting…' : 'Import, export and more'}
          icon={<Ellipsis aria-hidden />}
          isDisabled={save.isPending}
        />
      }
      actions={[
        {
          id: 'export-latest',
          label: `Export ${what}, latest versions`,
          icon: <Download aria-hidden />,
          onAction: () => run('latest'),
        },
        {
          id: 'export-all',
          label: `Export ${what}, all versions`,
          icon: <Download aria-hidden />,
          onAction: () => run('all'),
        },
        mayWrite && {
          id: 'import',
          label: 'Import a file',
          icon: <Upload aria-hidden />,
          onAction: () => onOpen('import'),
        },
        {
          id: 'deleted',
          label: 'Deleted prompts',
          icon: <Trash2 aria-hidden />,
          onAction: () => onOpen('deleted'),
          startsGroup: true,
        },
        {
          id: 'labels',
          label: 'Protected labels',
          icon: <ShieldCheck aria-hidden />,
          onAction: () =>
            void navigate({
              to: '/project/$projectId/settings/protected-prompt-labels',
              params: { projectId },
            }),
        },
      ]}
    />
  )
}
