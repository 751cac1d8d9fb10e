import type { UiComponents } from '@/shared/api'
import type { Pane } from './state'

type Models = UiComponents['schemas']['LlmModels']

/**
 * A window with a connection that has its model; without a model, with the default one. A model that no connection has
 * stays: many servers have models that they do not list.
 */
export function withModel(pane: Pane, { connections, default: preferred }: Models): Pane {
  if (connections.some(({ connection }) => connection === pane.connection)) return pane
  const fallback =
    connections.find(({ connection }) => connection === preferred?.connection) ?? connections[0]
  if (pane.model === '') {
    const model = preferred?.model ?? fallback?.models[0] ?? ''
    return { ...pane, connection: fallback?.connection ?? '', model }
  }
  const offering =
    [fallback, ...connections].find((each) => each?.models.includes(pane.model)) ?? fallback
  return { ...pane, connection: offering?.connection ?? '' }
}
