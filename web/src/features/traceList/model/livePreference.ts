import { createPreference } from '@/shared/lib/preference'

/** Whether new rows wait behind a button or are added at the top. */
export const livePreference = createPreference('live', ['wait', 'stream'])
