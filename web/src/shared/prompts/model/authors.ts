import type { UiComponents } from '@/shared/api'

/** Who did something: a person, or an application with a key. */
export function authorName({ id, name }: UiComponents['schemas']['Author']): string {
  if (name !== null && name !== '') return name
  return id === 'API' ? 'an API key' : 'a former member'
}
