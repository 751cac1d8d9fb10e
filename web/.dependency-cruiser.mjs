// Imports go routes → app → features → shared. In shared/, the kit that knows the API and the current user imports table,
// io, charts and ui, which import lib and api. A folder of features/ or of the kit may be imported only through its
// index.ts.
const layer = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { path: to },
})

const above = '^src/(features|app|routes)/'
// Everything in shared/ but the folders named, which are at the same level or below.
const sharedBut = (names) => `^src/shared/(?!(${names})/)`

export default {
  forbidden: [
    layer('shared-knows-no-feature', '^src/shared/', above),
    layer('lib-imports-nothing-of-ours', '^src/shared/lib/', sharedBut('lib')),
    layer('api-imports-only-lib', '^src/shared/api/', sharedBut('api|lib')),
    layer(
      'ui-draws-and-never-fetches',
      '^src/shared/ui/',
      `${sharedBut('ui|lib')}|@tanstack/react-query`,
    ),
    layer(
      'charts-draw-and-never-fetch',
      '^src/shared/charts/',
      `${sharedBut('charts|ui|lib')}|@tanstack/react-query`,
    ),
    layer(
      'table-and-io-know-no-subject',
      '^src/shared/(table|io)/',
      sharedBut('table|io|charts|ui|lib|api'),
    ),
    layer('features-know-no-shell', '^src/features/', '^src/(app|routes)/'),
    layer('the-shell-knows-no-route', '^src/app/', '^src/routes/'),
    {
      name: 'folders-are-entered-through-their-index',
      severity: 'error',
      from: { path: '^src/(features|shared)/([^/]+)/' },
      to: {
        path: '^src/(features|shared)/.+',
        pathNot: [
          '^src/$1/$2/',
          '^src/(features|shared)/[^/]+/index\\.ts$',
          '^src/shared/lib/',
          '^src/shared/ui/toast\\.ts$',
        ],
      },
    },
    {
      name: 'folders-are-entered-through-their-index-from-outside',
      severity: 'error',
      from: { path: '^src/(app|routes)/' },
      to: {
        path: '^src/(features|shared)/',
        pathNot: ['^src/(features|shared)/[^/]+/index\\.ts$', '^src/shared/lib/'],
      },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    { name: 'everything-resolves', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-development-dependencies-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.tsx?$|^src/test/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: ['@types/'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'src/routeTree\\.gen\\.ts|src/shared/api/generated' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'style'],
    },
  },
}
