import { Link } from '@tanstack/react-router'
import { Breadcrumbs } from '@/shared/ui'
import { pathTo } from '../model/browse'

/** The folder that is open, and those that it is in. */
export function FolderPath({ projectId, folder }: { projectId: string; folder: string }) {
  const parts = pathTo(folder)
  return (
    <Breadcrumbs
      items={[
        {
          id: 'all',
          content: (
            <Link to="/project/$projectId/prompts" params={{ projectId }}>
              All prompts
            </Link>
          ),
        },
        ...parts.map(({ name, path }, at) => ({
          id: `folder ${path}`,
          content:
            at === parts.length - 1 ? (
              name
            ) : (
              <Link
                to="/project/$projectId/prompts"
                params={{ projectId }}
                search={{ folder: path }}
              >
                {name}
              </Link>
            ),
        })),
      ]}
    />
  )
}
