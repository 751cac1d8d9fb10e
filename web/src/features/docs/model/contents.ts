export type DocEntry = {
  /** The name of the file in docs/, without .md, which is also the page's address below /docs. */
  page: string
  title: string
  about: string
}

export type DocGroup = { label: string; about: string; pages: readonly DocEntry[] }

/** The pages of the documentation, in the order in which they are listed. */
export const contents: readonly DocGroup[] = [
  {
    label: 'Using the web application',
    about: 'For everybody who signs in.',
    pages: [
      {
        page: 'web',
        title: 'The web application: why did the agent do that?',
        about: 'From the home page to the tool call that failed, in four clicks.',
      },
      {
        page: 'finding',
        title: 'Finding traces',
        about: 'The query bar, facets, time ranges, saved views, and the page of a trace.',
      },
      {
        page: 'exploring',
        title: 'Exploring: sixteen tasks',
        about: 'Everyday tasks, and how many clicks and keys they take.',
      },
      {
        page: 'prompts',
        title: 'Prompts',
        about: 'Versions, labels, folders, prompts within prompts, and prompts in a repository.',
      },
      {
        page: 'playground',
        title: 'Playground',
        about: 'Prompts, models and parameters, tried out side by side.',
      },
      {
        page: 'datasets',
        title: 'Datasets',
        about: 'Items with inputs and expected outputs, and their schemas.',
      },
      {
        page: 'experiments',
        title: 'Experiments',
        about: 'Runs on a dataset compared with a baseline, and what the numbers say.',
      },
      {
        page: 'annotation',
        title: 'Annotation',
        about: 'Queues of items that people review one after another.',
      },
      {
        page: 'evaluating',
        title: 'Evaluating',
        about: 'Scores from code and from people, and a first experiment.',
      },
    ],
  },
  {
    label: 'Sending data',
    about: 'For those who connect an application.',
    pages: [
      {
        page: 'sending-traces',
        title: 'Sending traces',
        about: 'SDKs, LangChain, the Vercel AI SDK, OpenTelemetry, Collectors and curl.',
      },
      {
        page: 'sending-scores',
        title: 'Sending scores',
        about: 'One by one, in bulk, and from browsers.',
      },
      {
        page: 'clients',
        title: 'Clients',
        about: 'The client libraries and versions that are tested.',
      },
    ],
  },
  {
    label: 'Reading data',
    about: 'For programs, notebooks and assistants.',
    pages: [
      {
        page: 'reading',
        title: 'Reading observations',
        about: 'Fields, filters, recipes, facets, and rows as they arrive.',
      },
      {
        page: 'reading-scores',
        title: 'Reading scores',
        about: 'Selecting scores, and paging through all of them.',
      },
      {
        page: 'metrics',
        title: 'Metrics',
        about: 'Cost, tokens, latency and scores, aggregated in one query.',
      },
      {
        page: 'exporting',
        title: 'Exporting',
        about: 'Files on request, and scheduled exports to a bucket.',
      },
      {
        page: 'mcp',
        title: 'Tools for assistants (MCP)',
        about: 'How an assistant reads and writes the data of a project.',
      },
      {
        page: 'differences',
        title: 'Differences from the reference server',
        about: 'Where answers differ on purpose, and why.',
      },
      {
        page: 'api-coverage',
        title: 'Coverage of the API',
        about: 'Every operation, and the tests in which it succeeds and refuses.',
      },
    ],
  },
  {
    label: 'Running the server',
    about: 'For operators and administrators.',
    pages: [
      {
        page: 'operations',
        title: 'Running Almanac',
        about: 'Installing, TLS, monitoring, several servers, backups and upgrades.',
      },
      {
        page: 'configuration',
        title: 'Configuration',
        about: 'Every option, as a flag, a variable, and a line of a file.',
      },
      {
        page: 'sign-in',
        title: 'Signing in',
        about: 'The first account, invitations, e-mail, and single sign-on.',
      },
      {
        page: 'administration',
        title: 'Organizations, people and keys',
        about: 'Roles, permissions of keys, SCIM, and the audit log.',
      },
      {
        page: 'limits',
        title: 'Limits',
        about: 'What keys, projects and organizations may use.',
      },
      {
        page: 'retention',
        title: 'Retention',
        about: 'Data deleted by age or by size, and what is kept.',
      },
      {
        page: 'importing',
        title: 'Importing',
        about: 'From Langfuse, from its databases, and from files.',
      },
      {
        page: 'clickhouse',
        title: 'Events in ClickHouse',
        about: 'For more than one machine.',
      },
      {
        page: 'capacity',
        title: 'Capacity planning',
        about: 'Measurements, and arithmetic based on them.',
      },
      {
        page: 'reliability',
        title: 'Reliability',
        about: 'What is promised, and how it is tested.',
      },
      {
        page: 'platforms',
        title: 'Platforms',
        about: 'Where the program runs, and where it differs.',
      },
    ],
  },
  {
    label: 'How it is made',
    about: 'For contributors and the curious.',
    pages: [
      {
        page: 'architecture',
        title: 'Architecture',
        about: 'The parts of the program, and the way of a request through them.',
      },
      {
        page: 'storage',
        title: 'How events are stored',
        about: 'Files byte by byte, guarantees, and how to read them with other tools.',
      },
      {
        page: 'benchmarks',
        title: 'Benchmarks',
        about: 'What was measured, and how to measure it again.',
      },
      {
        page: 'testing',
        title: 'Testing',
        about: 'What the tests do, and how well they notice changes.',
      },
      {
        page: 'dependencies',
        title: 'Dependencies',
        about: 'Every library, why it is used, and what could replace it.',
      },
    ],
  },
]

/** The entry of a page, if there is one. */
export function entryOf(page: string): DocEntry | undefined {
  return contents.flatMap((group) => group.pages).find((entry) => entry.page === page)
}
