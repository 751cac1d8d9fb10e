import { byImportance, latest } from '@/shared/prompts'

/** What becomes of a label when a change is saved. */
export type LabelEffect = {
  label: string
  kind: 'added' | 'moves' | 'removed'
  /** The version that it leaves. */
  from?: number
}

/** What a change of a version's labels does, the most important first. */
export function labelEffects(
  version: number,
  chosen: ReadonlySet<string>,
  labels: Readonly<Record<string, number>>,
): LabelEffect[] {
  const had = Object.keys(labels).filter((label) => labels[label] === version && label !== latest)
  const given = [...chosen].filter((label) => label !== latest && labels[label] !== version)
  return [
    ...given.map((label): LabelEffect => {
      const from = Object.hasOwn(labels, label) ? labels[label] : undefined
      return from === undefined ? { label, kind: 'added' } : { label, kind: 'moves', from }
    }),
    ...had
      .filter((label) => !chosen.has(label))
      .map((label): LabelEffect => ({ label, kind: 'removed', from: version })),
  ].toSorted((a, b) => byImportance(a.label, b.label))
}

/** An effect as a sentence. */
export function effectText({ label, kind, from }: LabelEffect, version: number): string {
  switch (kind) {
    case 'added':
      return `${label} is given to version ${version}. No version has it now.`
    case 'moves':
      return `${label} moves from version ${from} to version ${version}.`
    case 'removed':
      return `${label} is removed. No version will have it, and applications that ask for it get an error.`
  }
}

/** The version that applications change from: what is compared before labels move. */
export function movedFrom(effects: readonly LabelEffect[]): number | undefined {
  return effects.find(({ kind }) => kind === 'moves')?.from
}

/** The label of the button that saves. */
export function actionText(effects: readonly LabelEffect[]): string {
  const [only, another] = effects
  if (!only || another) return 'Save labels'
  switch (only.kind) {
    case 'added':
      return `Add ${only.label}`
    case 'moves':
      return `Move ${only.label}`
    case 'removed':
      return `Remove ${only.label}`
  }
}
