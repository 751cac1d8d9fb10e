// The first import of main.tsx: it runs before the libraries are evaluated, and imports none of them.
import { requestRows } from '@/features/traceList'
import { basePath } from '@/shared/lib/url'

/** The rows of the table at the URL, if it is the URL of one. */
export const rowsAhead = requestRows(location.pathname.slice(basePath.length), location.search)
