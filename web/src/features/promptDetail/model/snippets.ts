import type { PromptBody } from '@/shared/prompts'

/** Which version an application asks for. */
export type Wanted = { label: string } | { version: number }

export type Snippet = { id: string; label: string; code: string; note?: string }

type Used = { server: string; name: string; wanted: Wanted; body: PromptBody; variables: string[] }

/** Code that reads a prompt. Names are literals of each language: they may contain quotes and line breaks. */
export function snippetsOf(used: Used): Snippet[] {
  return [
    { id: 'python', label: 'Python', code: pythonCode(used) },
    { id: 'js', label: 'JavaScript', code: jsCode(used) },
    { id: 'curl', label: 'curl', code: curlCode(used) },
    {
      id: 'cli',
      label: 'almanac',
      code: cliCode(used),
      note:
        'label' in used.wanted
          ? 'Writes the version of every prompt with this label to a file.'
          : 'Files have the newest version or one with a label, not a version by its number.',
    },
  ]
}

function pythonCode({ server, name, wanted, body, variables }: Used): string {
  const which = 'label' in wanted ? `label=${text(wanted.label)}` : `version=${wanted.version}`
  const type = body.type === 'chat' ? ', type="chat"' : ''
  const values = variables.map((each) => `${each}="…"`).join(', ')
  return `# LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL=${server}
from langfuse import get_client

prompt = get_client().get_prompt(${text(name)}, ${which}${type})
print(prompt.compile(${values}), prompt.config)`
}

function jsCode({ server, name, wanted, body, variables }: Used): string {
  const which = 'label' in wanted ? `label: ${text(wanted.label)}` : `version: ${wanted.version}`
  const type = body.type === 'chat' ? ', type: "chat"' : ''
  const values = variables.length === 0 ? '' : `{ ${variables.map((v) => `${v}: "…"`).join(', ')} }`
  return `// LANGFUSE_PUBLIC_KEY, LANGFUSE_SECRET_KEY and LANGFUSE_BASE_URL=${server}
import { LangfuseClient } from "@langfuse/client";

const prompt = await new LangfuseClient().prompt.get(${text(name)}, { ${which}${type} });
console.log(prompt.compile(${values}), prompt.config);`
}

function curlCode({ server, name, wanted }: Used): string {
  const which =
    'label' in wanted ? `label=${encodeURIComponent(wanted.label)}` : `version=${wanted.version}`
  const url = `${server}/api/public/v2/prompts/${encodeURIComponent(name)}?${which}`
  return `curl -sf -u "$LANGFUSE_PUBLIC_KEY:$LANGFUSE_SECRET_KEY" \\
  ${shell(url)}`
}

function cliCode({ server, name, wanted }: Used): string {
  const folder = name.includes('/')
    ? ` --folder ${shell(name.slice(0, name.lastIndexOf('/')))}`
    : ''
  const label = 'label' in wanted ? ` --label ${shell(wanted.label)}` : ''
  return `export LANGFUSE_BASE_URL=${shell(server)}
almanac prompts pull prompts${folder}${label}`
}

/** A string in Python and in JavaScript. */
function text(value: string): string {
  // Line separators end a line in old JavaScript, and in some editors.
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

/** A word of a shell command. */
function shell(value: string): string {
  return /^[\w./:@=-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
