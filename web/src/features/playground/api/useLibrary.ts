import { useQuery } from '@tanstack/react-query'
import { projectApi, projectKey, unwrap, useChange, type UiComponents } from '@/shared/api'

type NewTool = UiComponents['schemas']['NewLlmTool']
type NewSchema = UiComponents['schemas']['NewLlmSchema']

const toolsKey = (projectId: string) => projectKey(projectId, 'playground', 'tools')
const schemasKey = (projectId: string) => projectKey(projectId, 'playground', 'schemas')

/** The tools that the project keeps. */
export function useTools(projectId: string) {
  return useQuery({
    queryKey: toolsKey(projectId),
    queryFn: async ({ signal }) =>
      (await unwrap(projectApi(projectId).GET('/llm-tools', { signal }))).tools,
  })
}

/** The schemas that the project keeps. */
export function useSchemas(projectId: string) {
  return useQuery({
    queryKey: schemasKey(projectId),
    queryFn: async ({ signal }) =>
      (await unwrap(projectApi(projectId).GET('/llm-schemas', { signal }))).schemas,
  })
}

/** Keeps a tool; with an id, one that is kept already is replaced. */
export function useKeepTool(projectId: string) {
  return useChange([toolsKey(projectId)], ({ id, body }: { id?: string; body: NewTool }) =>
    unwrap(
      id === undefined
        ? projectApi(projectId).POST('/llm-tools', { body })
        : projectApi(projectId).PUT('/llm-tools/{toolId}', {
            params: { path: { toolId: id } },
            body,
          }),
    ),
  )
}

export function useKeepSchema(projectId: string) {
  return useChange([schemasKey(projectId)], ({ id, body }: { id?: string; body: NewSchema }) =>
    unwrap(
      id === undefined
        ? projectApi(projectId).POST('/llm-schemas', { body })
        : projectApi(projectId).PUT('/llm-schemas/{schemaId}', {
            params: { path: { schemaId: id } },
            body,
          }),
    ),
  )
}

export function useDropTool(projectId: string) {
  return useChange([toolsKey(projectId)], (toolId: string) =>
    unwrap(projectApi(projectId).DELETE('/llm-tools/{toolId}', { params: { path: { toolId } } })),
  )
}

export function useDropSchema(projectId: string) {
  return useChange([schemasKey(projectId)], (schemaId: string) =>
    unwrap(
      projectApi(projectId).DELETE('/llm-schemas/{schemaId}', { params: { path: { schemaId } } }),
    ),
  )
}
