import { tableSearchNames } from '@/shared/table'

/** The search parameters of the session and user lists; time range and environments are those of the project. */
export const entitiesSearchNames = [...tableSearchNames, 'filter', 'search'] as const
