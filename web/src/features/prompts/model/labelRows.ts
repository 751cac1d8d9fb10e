import type { UiComponents } from '@/shared/api'

export type LabelRow = { label: string; prompts: number; isProtected: boolean }

/** All labels, also those that are protected before any prompt has them. */
export function labelRows({
  labels,
  protected: kept,
}: UiComponents['schemas']['PromptLabels']): LabelRow[] {
  const used = new Set(labels.map(({ label }) => label))
  return [
    ...labels.map(({ label, prompts, protected: isProtected }) => ({
      label,
      prompts,
      isProtected,
    })),
    ...kept
      .filter((label) => !used.has(label))
      .map((label) => ({ label, prompts: 0, isProtected: true })),
  ].toSorted((a, b) => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0))
}
