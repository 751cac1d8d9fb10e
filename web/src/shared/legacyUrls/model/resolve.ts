/** A valid address of a project that has no page yet. */
export type Placeholder = {
  kind: 'named'
  /** The kind of object, as in "Trace". */
  what: string
  /** Its id or name, if the address is that of a single object. */
  id?: string
  /** What the page will show once it exists. */
  will: string
  source: Source
}

/** A redirect for an address that has another name here. */
export type Redirect = { kind: 'redirect'; path: string; search?: Search }

export type Search = Record<string, string | string[]>

/** Where the raw data of an address comes from. Pages that show no stored data have none. */
export type Source =
  | { from: 'nothing'; why: string }
  | { from: 'evaluators' }
  | { from: 'evaluator'; id: string }
  | { from: 'evaluation-rules' }
  | { from: 'dashboards' }
  | { from: 'dashboard'; id: string }
  | { from: 'widgets' }
  | { from: 'widget'; id: string }

/** Resolves the path below /project/{id}/. Returns undefined if the address is unknown. */
export function resolveAddress(
  parts: readonly string[],
  search: Search,
): Placeholder | Redirect | undefined {
  const [page, ...rest] = parts
  const resolve = page !== undefined && Object.hasOwn(pages, page) ? pages[page] : undefined
  return resolve?.(rest, search)
}

type Resolve = (rest: string[], search: Search) => Placeholder | Redirect | undefined

const pages: Record<string, Resolve> = {
  prompts: ([name, suffix]) => {
    // Prompts, and the page of each, have routes of their own.
    return name !== undefined && suffix === 'metrics'
      ? redirect(['prompts', name], { tab: 'metrics' })
      : undefined
  },
  datasets: ([dataset, part, id, last], search) => {
    // The list, a dataset, its items and its experiments have routes of their own.
    if (dataset === undefined) return undefined
    if (part === undefined) return redirect(['datasets', dataset, 'items'])
    if (part === 'items' && id !== undefined && last === 'runs')
      return redirect(['datasets', dataset, 'items', id])
    if (part === 'runs' && id !== undefined) return results([id])
    if (part === 'runs') return redirect(['datasets', dataset, 'experiments'])
    if (part === 'compare') return results(many(search.runs))
    return undefined
  },
  evals: ([part]) => {
    if (part === undefined)
      return named('Evaluators', 'Evaluators and the rules that run them.', { from: 'evaluators' })
    if (part === 'rules')
      return named('Evaluation rules', 'Which evaluator runs on what.', {
        from: 'evaluation-rules',
      })
    if (part === 'new' || part === 'default-model')
      return named('Evaluators', 'The editor for evaluators.', { from: 'evaluators' })
    return named(
      'Evaluator',
      'The evaluator, its versions and what it found.',
      { from: 'evaluator', id: part },
      part,
    )
  },
  dashboards: ([id]) =>
    id === undefined
      ? named('Dashboards', 'Charts of cost, latency, usage and scores.', { from: 'dashboards' })
      : named('Dashboard', 'The charts of the dashboard.', { from: 'dashboard', id }, id),
  widgets: ([id]) =>
    id === undefined || id === 'new'
      ? named('Widgets', 'The charts that dashboards are made of.', { from: 'widgets' })
      : named('Widget', 'The chart and its query.', { from: 'widget', id }, id),
  alerts: ([id]) =>
    named(
      id === undefined || id === 'new' ? 'Alerts' : 'Alert',
      'Thresholds on metrics, and who is notified.',
      nothing('This version has no alerts, so there is no data behind this address.'),
      id === 'new' ? undefined : id,
    ),
  monitors: (rest) => redirect(['alerts', ...rest]),
  automations: ([id]) =>
    named(
      'Automations',
      'What happens when something changes: webhooks and messages.',
      nothing('This version has no automations, so there is no data behind this address.'),
      id,
    ),
  models: (rest) => redirect(['settings', 'models', ...rest]),
  settings: (rest) => settings(rest),
}

/** Settings pages that have another name here, or that do not exist yet. */
function settings([page]: string[]): Placeholder | Redirect | undefined {
  switch (page) {
    case 'retention':
    case 'general':
      return redirect(['settings'])
    case 'integrations':
      return redirect(['settings', 'integrations', 'blobstorage'])
    case 'exports':
    case 'batch-actions':
      return named(
        page === 'exports' ? 'Exports' : 'Batch actions',
        'Exported files and bulk actions.',
        nothing('This version exports nothing in the background.'),
      )
    case 'developer-tools':
    case 'notifications':
      return named(
        'Settings',
        'More settings of the project.',
        nothing('This version has no such setting.'),
        page,
      )
    default:
      return undefined
  }
}

function named(what: string, will: string, source: Source, id?: string): Placeholder {
  return { kind: 'named', what, will, source, ...(id !== undefined && id !== '' && { id }) }
}

function nothing(why: string): Source {
  return { from: 'nothing', why }
}

function redirect(parts: readonly string[], search?: Search): Redirect {
  const path = parts.map(encodeURIComponent).join('/')
  return search === undefined ? { kind: 'redirect', path } : { kind: 'redirect', path, search }
}

/** The results of runs: the first is the baseline, the others are compared with it. */
function results(ids: readonly string[]): Redirect {
  const [baseline, ...others] = ids
  if (baseline === undefined) return redirect(['experiments'])
  return redirect(
    ['experiments', 'results'],
    others.length === 0 ? { baseline } : { baseline, c: others },
  )
}

function many(value: string | string[] | undefined): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}
