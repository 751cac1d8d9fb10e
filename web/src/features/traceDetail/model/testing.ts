import type { WireTree } from './wire'

export type Span = {
  id: string
  parent?: string
  /** Milliseconds. */
  start: number
  end?: number
  name?: string
  type?: string
  level?: string
  model?: string
  cost?: number
  tokens?: number
}

/** The server's response for a few observations. */
export function wireTree(spans: readonly Span[]): WireTree {
  const dictionary = {
    names: [] as string[],
    types: [] as string[],
    levels: [] as string[],
    models: [] as string[],
  }
  const put = (list: string[], value: string) => {
    const at = list.indexOf(value)
    return at < 0 ? list.push(value) - 1 : at
  }
  const places = new Map(spans.map(({ id }, at) => [id, at]))
  return {
    traceId: 't1',
    trace: {
      name: 'trace',
      userId: null,
      sessionId: null,
      tags: [],
      environment: 'default',
      release: null,
      version: null,
      public: false,
      bookmarked: false,
      startTime: '2026-11-16T12:00:00.000Z',
      latency: 1,
      totalCost: 0,
      totalTokens: 0,
      errors: 0,
    },
    total: spans.length,
    dictionary,
    columns: {
      id: spans.map(({ id }) => id),
      parent: spans.map(({ parent }) => (parent === undefined ? -1 : (places.get(parent) ?? 1e9))),
      start: spans.map(({ start }) => start * 1000),
      end: spans.map(({ end }) => (end === undefined ? -1 : end * 1000)),
      name: spans.map(({ id, name }) => put(dictionary.names, name ?? id)),
      type: spans.map(({ type }) => put(dictionary.types, type ?? 'SPAN')),
      level: spans.map(({ level }) => put(dictionary.levels, level ?? 'DEFAULT')),
      model: spans.map(({ model }) => (model === undefined ? -1 : put(dictionary.models, model))),
      cost: spans.map(({ cost }) => cost ?? null),
      inputTokens: spans.map(({ tokens }) => tokens ?? 0),
      outputTokens: spans.map(() => 0),
      scores: spans.map(() => 0),
      comments: spans.map(() => 0),
    },
  }
}

/** A trace with this many observations, each with a few children; deterministic. */
export function largeWireTree(count: number): WireTree {
  const wire = wireTree([{ id: 'root', start: 0, end: count }])
  const { columns } = wire
  columns.id = Array.from({ length: count }, (_, at) => `o${at}`)
  columns.parent = columns.id.map((_, at) => (at === 0 ? -1 : Math.floor((at - 1) / 7)))
  columns.start = columns.id.map((_, at) => at * 10)
  columns.end = columns.id.map((_, at) => (at === 0 ? count * 20 : at * 10 + 5_000))
  for (const name of ['name', 'type', 'level', 'inputTokens', 'outputTokens'] as const)
    columns[name] = columns.id.map(() => 0)
  columns.scores = columns.id.map(() => 0)
  columns.comments = columns.id.map(() => 0)
  columns.model = columns.id.map(() => -1)
  columns.cost = columns.id.map((_, at) => (at % 3 === 0 ? 0.001 : null))
  wire.total = count
  return wire
}
