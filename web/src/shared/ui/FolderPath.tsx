import type { ReactNode } from 'react'
import { pathTo } from '@/shared/lib/folders'
import { Breadcrumbs } from './Breadcrumbs'

type FolderPathProps = {
  folder: string
  /** What the list is called outside of folders: "All prompts". */
  all: string
  /** Renders a link to a folder of the list, or to the list outside of folders. */
  linkTo: (folder: string | undefined, children: ReactNode) => ReactNode
}

/** The folder that is open, and those that it is in. */
export function FolderPath({ folder, all, linkTo }: FolderPathProps) {
  const parts = pathTo(folder)
  return (
    <Breadcrumbs
      items={[
        { id: 'all', content: linkTo(undefined, all) },
        ...parts.map(({ name, path }, at) => ({
          id: `folder ${path}`,
          content: at === parts.length - 1 ? name : linkTo(path, name),
        })),
      ]}
    />
  )
}
