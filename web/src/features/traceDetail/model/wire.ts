import type { UiComponents } from '@/shared/api'

/** The columnar response of the server, and everything about one observation. */
export type WireTree = UiComponents['schemas']['Tree']
export type Detail = UiComponents['schemas']['ObservationDetail']
export type Hits = UiComponents['schemas']['Hits']
export type TextField = keyof Detail['texts']
