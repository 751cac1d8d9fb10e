import { useQuery } from '@tanstack/react-query'
import { createContext, useContext, type ReactNode } from 'react'
import { projectApi, projectKey, unwrap } from '@/shared/api'
import { sameOriginUrl } from './model/sameOriginUrl'

const Project = createContext<string | undefined>(undefined)

type MediaLinksProps = {
  /** Undefined for people who may read the values but not their files. */
  projectId: string | undefined
  children: ReactNode
}

/** Provides the project of the values inside, from which their files are fetched. */
export function MediaLinks({ projectId, children }: MediaLinksProps) {
  return <Project value={projectId}>{children}</Project>
}

export type StoredFile = { url: string; type: string; size: number }

/** A file of the project with its URL, which is valid for an hour. */
export function useStoredFile(mediaId: string) {
  const projectId = useContext(Project)
  return useQuery({
    queryKey: projectKey(projectId ?? '', 'media', mediaId),
    enabled: projectId !== undefined,
    staleTime: 30 * 60_000,
    queryFn: async ({ signal }): Promise<StoredFile> => {
      const found = await unwrap(
        projectApi(projectId ?? '').GET('/media/{mediaId}', {
          params: { path: { mediaId } },
          signal,
        }),
      )
      return {
        url: sameOriginUrl(found.url, location.origin),
        type: found.contentType,
        size: found.contentLength,
      }
    },
  })
}
