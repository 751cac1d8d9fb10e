import { useMutation } from '@tanstack/react-query'
import { projectApi, unwrap } from '@/shared/api'
import { saveBlob } from '@/shared/lib/saveBlob'
import { fileNameOf, joinLists } from '../model/files'

/** Names or folders; none means all prompts of the project. */
export type Exported = {
  what: readonly { name?: string; folder?: string }[]
  versions: 'latest' | 'all'
  /** What the file is called after. */
  title: string
}

/** Saves prompts as a file, which can be imported here and elsewhere. */
export function useExport(projectId: string) {
  return useMutation({
    mutationFn: async ({ what, versions, title }: Exported) => {
      const texts: string[] = []
      for (const query of what.length === 0 ? [{}] : what)
        texts.push(
          await unwrap(
            projectApi(projectId).GET('/prompts/export', {
              params: { query: { ...query, versions } },
              parseAs: 'text',
            }),
          ),
        )
      const file = new Blob([joinLists(texts)], { type: 'application/json' })
      saveBlob(file, fileNameOf(title))
    },
  })
}
