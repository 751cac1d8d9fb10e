import { createPreference } from '@/lib/preference'

/** Whether new rows wait behind a button or are put above the others. */
export const livePreference = createPreference('live', ['wait', 'stream'])
