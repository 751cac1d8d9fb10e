import type { UiComponents } from '@/shared/api'

type Deletion = UiComponents['schemas']['PromptDeletion']
type Restored = UiComponents['schemas']['RestoredPrompt']

/** Which versions were deleted. */
export function versionsText({ versions, first, last }: Deletion): string {
  if (versions === 1) return `version ${first}`
  return last - first + 1 === versions
    ? `versions ${first} to ${last}`
    : `${versions} versions between ${first} and ${last}`
}

/** What is different from before the deletion; undefined if nothing is. */
export function restoredText({ versions, keptBack }: Restored): string | undefined {
  const moved = versions.filter(({ was, version }) => was !== version)
  const texts = [
    moved.length > 0 &&
      `${moved.map(({ was, version }) => `Version ${was} is now ${version}`).join(', ')}.`,
    keptBack.length > 0 &&
      `${keptBack.join(', ')} ${keptBack.length === 1 ? 'stays' : 'stay'} where ${keptBack.length === 1 ? 'it is' : 'they are'} by now.`,
  ].filter((text) => text !== false)
  return texts.length === 0 ? undefined : texts.join(' ')
}
