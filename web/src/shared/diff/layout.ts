import { createPreference } from '@/shared/lib/preference'

/** Both sides in one column, or beside each other. */
export const diffLayoutPreference = createPreference('diff', ['inline', 'sides'])

export type DiffLayout = ReturnType<typeof diffLayoutPreference.get>
