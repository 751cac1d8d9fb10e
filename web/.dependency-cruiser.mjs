// Imports go routes → app → features → table, io, charts, ui → lib, api; a feature may be imported only through its
// index.ts.
const layer = (name, from, to) => ({
  name,
  severity: 'error',
  from: { path: from, pathNot: '\\.test\\.tsx?$' },
  to: { path: to },
})

export default {
  forbidden: [
    layer(
      'lib-and-api-import-nothing-of-ours',
      '^src/(lib|api)/',
      '^src/(ui|io|charts|table|features|app|routes)/',
    ),
    layer('lib-does-not-fetch', '^src/lib/', '^src/api/'),
    layer(
      'ui-draws-and-never-fetches',
      '^src/ui/',
      '^src/(api|io|charts|table|features|app|routes)/|@tanstack/react-query',
    ),
    layer(
      'charts-draw-and-never-fetch',
      '^src/charts/',
      '^src/(api|io|table|features|app|routes)/|@tanstack/react-query',
    ),
    layer('table-and-io-know-no-feature', '^src/(table|io)/', '^src/(features|app|routes)/'),
    layer('features-know-no-shell', '^src/features/', '^src/(app|routes)/'),
    layer('the-shell-knows-no-route', '^src/app/', '^src/routes/'),
    {
      name: 'features-are-entered-through-their-index',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: {
        path: '^src/features/([^/]+)/.+',
        pathNot: ['^src/features/$1/', '^src/features/[^/]+/index\\.ts$'],
      },
    },
    {
      name: 'features-are-entered-through-their-index-from-outside',
      severity: 'error',
      from: { path: '^src/(app|routes)/' },
      to: { path: '^src/features/', pathNot: '^src/features/[^/]+/index\\.ts$' },
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
    exclude: { path: 'src/routeTree\\.gen\\.ts|src/api/generated' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default', 'style'],
    },
  },
}
