import { projectApi, projectKey, unwrap, useChange } from '@/shared/api'
import type { PromptLink } from '../model/state'
import type { PromptContent } from '../model/toPrompt'

type Saving = {
  name: string
  content: PromptContent
  labels: string[]
  commitMessage: string
}

/** Saves a prompt version: the first one of a new name, or the next one. The type of a prompt never changes. */
export function useSavePrompt(projectId: string) {
  return useChange(
    [projectKey(projectId, 'prompts')],
    async ({ name, content, labels, commitMessage }: Saving): Promise<PromptLink> => {
      const saved = await unwrap(
        projectApi(projectId).POST('/v2/prompts', {
          body: {
            name,
            type: 'chat',
            prompt: content.prompt,
            config: content.config,
            labels,
            ...(commitMessage !== '' && { commitMessage }),
          },
        }),
      )
      return { name: saved.name, version: saved.version }
    },
  )
}
