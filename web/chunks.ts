import type { Plugin, Rolldown } from 'vite'

// Large, and used by few pages each: it is not part of what all pages share.
const ofFewPages =
  /\/src\/(?:features|shared\/(?:addTo|charts|comments\/(?!api\/)|io|query|savedViews))\/|\/node_modules\/(?:marked|diff|@dagrejs|@codemirror|@lezer)\//

/**
 * Which code ends up in one file. By default each set of modules that the same pages import becomes a file: 110 of them
 * for the first page, down to single icons, each with its own request. These groups make a few: what is evaluated
 * first, the libraries of the frame, the frame, what several pages share, and one file for each page or subject. Code
 * that is loaded with lazy() keeps its own file.
 */
export const chunkGroups: Rolldown.CodeSplittingGroup[] = [
  // Requests the data of the page, before the libraries are evaluated. See src/start.ts.
  { name: 'start', test: /\/src\/start\.ts$/, priority: 9 },
  { name: 'libraries', tags: ['$initial'], test: /\/node_modules\//, priority: 8 },
  { name: 'frame', tags: ['$initial'], priority: 8 },
  {
    name: 'common',
    test: (id) => !ofFewPages.test(id),
    minShareCount: 2,
    priority: 7,
  },
  {
    name: 'trace',
    test: /\/src\/(?:features\/(?:traceDetail|publicTrace)|shared\/(?:addTo|comments\/(?!api\/)|io))\//,
    minShareCount: 2,
    priority: 6,
  },
  {
    name: (id) => /\/src\/features\/(\w+)\//.exec(id)?.[1] ?? null,
    minShareCount: 2,
    priority: 5,
  },
]

/** Routes whose components are loaded with the frame: it, and the first page after sign-in. */
const frame = ['/_app', '/_app/project/$projectId', '/_app/project/$projectId/']

/** What pages of the frame show besides, and load when they are rendered: their paths, and modules. */
const shownLater: Record<string, RegExp> = {
  '/project/$projectId': /\/src\/features\/home\/components\/(?:LatestTraces|Overview)\.tsx$/,
}

/** What the router loads later: nothing of the frame, and the component of every other route. */
export function splitBehavior({ routeId }: { routeId: string }): [] | undefined {
  return frame.includes(routeId) ? [] : undefined
}

type Loaded = {
  imports: string[]
  facadeModuleId: string | null
  moduleIds: string[]
  isEntry: boolean
}

/**
 * Writes pages.json, from which the server takes what to announce in the page at each path: the files of that page
 * beside those of the frame, which would otherwise be requested only when the frame runs. Announces the session as well.
 */
export function announcedPages(): Plugin {
  return {
    name: 'announced-pages',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: () => [
        // It has to be requested in the same way as by sessionQuery, or it is requested twice.
        {
          tag: 'link',
          injectTo: 'head-prepend',
          attrs: { rel: 'preload', href: './api/ui/auth/session', as: 'fetch', crossorigin: true },
        },
      ],
    },
    generateBundle(_options, bundle) {
      const chunks = new Map<string, Loaded>()
      for (const each of Object.values(bundle))
        if (each.type === 'chunk') chunks.set(each.fileName, each)
      const entry = [...chunks].find(([, { isEntry }]) => isEntry)?.[0]
      if (entry === undefined) this.error('the build has no entry')
      const first = closure([entry], chunks)
      const components = componentsOf(chunks)
      const announced = new Map(
        [...components.keys()]
          .filter((route) => !isLayout(route))
          .map((route) => [pathOf(route), withLayouts(route, components)]),
      )
      for (const [path, modules] of Object.entries(shownLater))
        announced.set(path, filesOf(modules, chunks))
      const pages = [...announced].map(([path, files]) => ({
        path,
        files: [...closure(files, chunks)].filter((file) => !first.has(file)),
      }))
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify(pages) })
    },
  }
}

/** The chunk of each route's component, by the path of its file: _app/project/$projectId/traces/index. */
function componentsOf(chunks: Map<string, Loaded>): Map<string, string> {
  const found = new Map<string, string>()
  for (const [file, { facadeModuleId }] of chunks) {
    const route = /\/src\/routes\/(.+)\.tsx\?tsr-split=component$/.exec(facadeModuleId ?? '')?.[1]
    if (route !== undefined) found.set(route, file)
  }
  return found
}

function filesOf(modules: RegExp, chunks: Map<string, Loaded>): string[] {
  return [...chunks].flatMap(([file, { moduleIds }]) =>
    moduleIds.some((id) => modules.test(id)) ? file : [],
  )
}

const isLayout = (route: string) => /(?:^|\/)route$/.test(route)

/** The components that are shown for a route: its own and those of the folders around it. */
function withLayouts(route: string, components: Map<string, string>): string[] {
  const parts = route.split('/')
  const around = parts.map((_, index) => [...parts.slice(0, index), 'route'].join('/'))
  return [...around, route].flatMap((each) => components.get(each) ?? [])
}

/** The path of a route's file, as routes are named: /project/$projectId/traces. */
function pathOf(route: string): string {
  const parts = route.split(/[/.]/).filter((part) => !part.startsWith('_') && part !== 'index')
  return `/${parts.join('/')}`
}

/** Files with everything that they import. */
function closure(files: string[], chunks: Map<string, Loaded>): Set<string> {
  const found = new Set<string>()
  const add = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const each of chunks.get(file)?.imports ?? []) add(each)
  }
  for (const file of files) add(file)
  return found
}
