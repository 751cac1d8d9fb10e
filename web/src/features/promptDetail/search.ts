import { tableSearchNames } from '@/shared/table'

/** The search parameters of a prompt: what is shown of it, what it is compared with, and the tables. */
export const promptSearchNames = [
  'version',
  'label',
  'tab',
  'diff',
  'view',
  'search',
  ...tableSearchNames,
] as const
