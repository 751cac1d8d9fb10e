import { partsOf } from '@/shared/lib/paths'

/** What a page of the application is, in a sentence, and where the documentation says more. */
export type Help = { about: string; page: string; anchor?: string }

/** By the beginning of a page's path; pages below it have the same unless they have their own. */
const outside: Record<string, Help> = {
  '': {
    about: 'The organizations and projects that you can see.',
    page: 'administration',
    anchor: 'from-nothing-to-a-project',
  },
  account: {
    about: 'Your name, your password, and where you are signed in.',
    page: 'sign-in',
    anchor: 'sessions',
  },
  'account/inbox': {
    about: 'Comments that mention you, and exports that have ended.',
    page: 'administration',
    anchor: 'the-inbox',
  },
  trace: {
    about: 'Finds the project of a trace by its id.',
    page: 'finding',
    anchor: 'one-trace',
  },
  public: {
    about: 'Finds a trace that was published by its id.',
    page: 'finding',
    anchor: 'one-trace',
  },
}

const inOrganization: Record<string, Help> = {
  '': {
    about: 'An organization has projects, members, and keys of its own.',
    page: 'administration',
  },
  'settings/api-keys': {
    about: 'Keys with which programs manage the organization and its projects.',
    page: 'administration',
    anchor: 'scim',
  },
  'settings/members': {
    about: 'Who belongs to the organization, and with which role.',
    page: 'administration',
    anchor: 'members-and-roles',
  },
  'settings/invitations': {
    about: 'Links with which people join the organization.',
    page: 'sign-in',
    anchor: 'inviting-people',
  },
  'settings/audit-logs': {
    about: 'Who changed what in the organization, and when.',
    page: 'administration',
    anchor: 'the-audit-log',
  },
  'settings/sso': {
    about: 'Signing in with accounts of another service.',
    page: 'sign-in',
    anchor: 'single-sign-on',
  },
  'settings/usage': {
    about: 'What the organization’s projects store, and what they may still send.',
    page: 'limits',
  },
}

const inProject: Record<string, Help> = {
  '': {
    about: 'The last day of the project: traces, errors, cost, and what to look at.',
    page: 'web',
  },
  dashboards: {
    about: 'Charts of cost, tokens, latency and scores.',
    page: 'metrics',
  },
  traces: {
    about: 'A trace is everything that an application did for one request. The list finds them.',
    page: 'finding',
    anchor: 'the-query-bar',
  },
  'traces/*': {
    about: 'A trace as a tree of its observations, over time, or as a transcript.',
    page: 'finding',
    anchor: 'one-trace',
  },
  'traces/compare': {
    about: 'Two traces side by side: where they differ, and what that cost.',
    page: 'finding',
    anchor: 'one-trace',
  },
  observations: {
    about: 'The observations of all traces: model calls, tool calls, retrievals and others.',
    page: 'finding',
    anchor: 'the-query-bar',
  },
  sessions: {
    about: 'A session groups traces that belong together, such as a conversation.',
    page: 'finding',
    anchor: 'conditions-on-sessions-and-users',
  },
  users: {
    about: 'The people for whom the application worked, with their traces and their cost.',
    page: 'finding',
    anchor: 'conditions-on-sessions-and-users',
  },
  scores: {
    about: 'A score rates a trace, an observation, a session or an experiment.',
    page: 'evaluating',
    anchor: 'scores-from-code',
  },
  prompts: {
    about: 'Prompts with versions, and labels that say which version applications use.',
    page: 'prompts',
    anchor: 'the-pages-of-prompts-and-skills',
  },
  'prompts/*': {
    about: 'A prompt’s versions, how they differ, and how they did.',
    page: 'prompts',
    anchor: 'the-page-of-a-prompt',
  },
  'prompts/new': {
    about: 'Writes a new prompt, or the next version of one.',
    page: 'prompts',
    anchor: 'the-pages-of-prompts-and-skills',
  },
  skills: {
    about: 'Instructions with files, for agents that load them when they are needed.',
    page: 'prompts',
    anchor: 'the-pages-of-prompts-and-skills',
  },
  'new-skill': {
    about: 'A skill is instructions with files, for agents that load them when needed.',
    page: 'prompts',
    anchor: 'the-pages-of-prompts-and-skills',
  },
  playground: {
    about: 'Prompts, models and parameters, tried out side by side.',
    page: 'playground',
  },
  datasets: {
    about: 'A dataset holds inputs with the outputs that are expected, to test changes on.',
    page: 'datasets',
  },
  'datasets/*': {
    about: 'The items of a dataset, its schemas, and the runs on it.',
    page: 'datasets',
    anchor: 'items',
  },
  experiments: {
    about: 'An experiment runs an application on a dataset’s items and scores what comes out.',
    page: 'experiments',
  },
  'experiments/results': {
    about: 'Runs beside a baseline: what got better, what got worse, and how sure that is.',
    page: 'experiments',
    anchor: 'results',
  },
  evals: {
    about: 'Evaluators score traces by rules or with a model.',
    page: 'evaluating',
  },
  'annotation-queues': {
    about: 'Queues of traces that people review and score, one after another.',
    page: 'annotation',
  },
  settings: {
    about: 'The name of the project, and how long its data is kept.',
    page: 'retention',
  },
  'settings/api-keys': {
    about: 'Keys with which applications send and read the project’s data.',
    page: 'administration',
    anchor: 'what-a-key-of-a-project-may-do',
  },
  'settings/members': {
    about: 'Who may see the project, and with which role.',
    page: 'administration',
    anchor: 'members-and-roles',
  },
  'settings/models': {
    about: 'What models cost, for traces that name no cost themselves.',
    page: 'differences',
    anchor: 'models-llm-connections-blob-storage-integrations',
  },
  'settings/llm-connections': {
    about: 'Accounts at model providers, which the playground uses.',
    page: 'playground',
  },
  'settings/scores': {
    about: 'Scores that people may give, with their categories and ranges.',
    page: 'evaluating',
    anchor: 'scores-from-people',
  },
  'settings/integrations/blobstorage': {
    about: 'New data is written to a bucket of yours, again and again.',
    page: 'exporting',
    anchor: 'scheduled-exports',
  },
  'settings/exports': {
    about: 'Files of exported data, and exports that are running.',
    page: 'exporting',
    anchor: 'storage-and-lifetime-of-files',
  },
  'settings/jobs': {
    about: 'What runs in the background for the project.',
    page: 'operations',
    anchor: 'background-jobs',
  },
  'settings/audit-logs': {
    about: 'Who changed what in the project, and when.',
    page: 'administration',
    anchor: 'the-audit-log',
  },
  'settings/usage': {
    about: 'What the project stores, and what it may still send.',
    page: 'limits',
  },
  'settings/protected-prompt-labels': {
    about: 'Labels that only owners and admins move.',
    page: 'prompts',
    anchor: 'protected-labels',
  },
}

const areas = { organization: inOrganization, project: inProject }

/** All entries, for the test that each leads somewhere. */
export const allHelp: readonly Help[] = [outside, inOrganization, inProject].flatMap((entries) =>
  Object.values(entries),
)

/** What the page at a path of the application is. */
export function helpAt(pathname: string): Help | undefined {
  const [area = '', id, ...rest] = partsOf(pathname)
  if ((area === 'project' || area === 'organization') && id !== undefined)
    return longest(areas[area], rest)
  return longest(outside, area === '' ? [] : [area, ...(id === undefined ? [] : [id]), ...rest])
}

/** The entry for a path, or else for the nearest page above it; `*` stands for any name. */
function longest(entries: Record<string, Help>, parts: readonly string[]): Help | undefined {
  for (let length = parts.length; length >= 0; length--) {
    const path = parts.slice(0, length)
    const above = [...path.slice(0, -1), '*'].join('/')
    for (const name of length > 1 ? [path.join('/'), above] : [path.join('/')])
      if (Object.hasOwn(entries, name)) return entries[name]
  }
  return undefined
}
