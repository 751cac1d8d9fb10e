import { projectApi, projectKey, unwrap, useChange } from '@/shared/api'
import type { CopyRequest } from '../model/copy'
import { importBody, type ImportOptions } from '../model/files'

export function deletePrompt(projectId: string, promptName: string) {
  return unwrap(
    projectApi(projectId).DELETE('/prompts/{promptName}', { params: { path: { promptName } } }),
  )
}

export function useCopyPrompts(projectId: string) {
  return useChange([projectKey(projectId, 'prompts')], (body: CopyRequest) =>
    unwrap(projectApi(projectId).POST('/prompts/copy', { body })),
  )
}

type Importing = { entries: readonly string[]; options: ImportOptions; isDryRun: boolean }

/** Imports versions, or says what would become of them. */
export function useImportPrompts(projectId: string) {
  return useChange(
    [projectKey(projectId, 'prompts')],
    ({ entries, options, isDryRun }: Importing) =>
      unwrap(
        projectApi(projectId).POST('/prompts/import', {
          body: { entries: [], ...options, dryRun: isDryRun },
          // As text: parsing would change large numbers.
          bodySerializer: () => importBody(entries, options, isDryRun),
        }),
      ),
  )
}

export function useProtectLabels(projectId: string) {
  return useChange([projectKey(projectId, 'prompts')], (labels: string[]) =>
    unwrap(projectApi(projectId).PUT('/prompt-labels', { body: { protected: labels } })),
  )
}
