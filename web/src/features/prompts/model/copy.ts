import type { UiComponents } from '@/shared/api'

export type CopyRequest = UiComponents['schemas']['CopyPrompts']

/** What is copied. */
export type CopySource = { kind: 'prompt' | 'folder'; name: string }

export type CopyForm = {
  to: string
  target: string
  versions: 'latest' | 'all'
  labels: 'keep' | 'drop'
  rewriteReferences: boolean
}

export function firstForm({ kind, name }: CopySource, projectId: string): CopyForm {
  return {
    to: `${name}-copy`,
    target: projectId,
    versions: 'latest',
    labels: 'drop',
    rewriteReferences: kind === 'folder',
  }
}

export function copyRequest(
  source: CopySource,
  form: CopyForm,
  projectId: string,
  dryRun: boolean,
): CopyRequest {
  return {
    ...(source.kind === 'prompt' ? { name: source.name } : { folder: source.name }),
    to: form.to.trim(),
    versions: form.versions,
    labels: form.labels,
    ...(form.target !== projectId && { targetProjectId: form.target }),
    // References within a single prompt stay as they are.
    rewriteReferences: source.kind === 'folder' && form.rewriteReferences,
    dryRun,
  }
}
