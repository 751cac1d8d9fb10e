import { Validator, type OutputUnit, type Schema, type SchemaDraft } from '@cfworker/json-schema'
import { Json } from '@/shared/io'
import type { Problem } from './problem'

/** A JSON Schema, as an object or as true or false. */
export type JsonSchema = object | boolean

/**
 * Where a JSON text does not match a schema. The text must be JSON. A schema that cannot be applied gives no problems: it
 * has an editor of its own, and the server decides in the end.
 */
export function schemaProblems(text: string, schema: JsonSchema): Problem[] {
  const root = Json.parse(text)
  if (!root) return []
  let errors: OutputUnit[]
  try {
    // The shape of values matters here, not the last digits of large numbers.
    errors = new Validator(schema as Schema, draftOf(schema), false).validate(
      JSON.parse(text),
    ).errors
  } catch {
    return []
  }
  // A value that does not match is reported again by everything around it: only the innermost is of use.
  const causes = errors.filter(
    ({ instanceLocation, keyword }) =>
      !(
        containers.has(keyword) &&
        errors.some(
          (other) =>
            !containers.has(other.keyword) &&
            (other.instanceLocation === instanceLocation ||
              other.instanceLocation.startsWith(`${instanceLocation}/`)),
        )
      ),
  )
  const found = new Map<string, Problem>()
  for (const error of causes) {
    const problem = { ...placeOf(root, error.instanceLocation), message: messageOf(error) }
    found.set(`${problem.from} ${problem.message}`, problem)
  }
  return [...found.values()].sort((a, b) => a.from - b.from)
}

/** Keywords that apply other schemas. */
const containers = new Set([
  '$ref',
  '$recursiveRef',
  '$dynamicRef',
  'properties',
  'patternProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'dependencies',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
])

const drafts: readonly [RegExp, SchemaDraft][] = [
  [/draft-0?4/, '4'],
  [/draft-0?[67]/, '7'],
  [/2019-09/, '2019-09'],
]

function draftOf(schema: JsonSchema): SchemaDraft {
  const named =
    typeof schema === 'object' && '$schema' in schema ? String(schema.$schema) : undefined
  return drafts.find(([pattern]) => named !== undefined && pattern.test(named))?.[1] ?? '2020-12'
}

/** The names and indexes of a JSON pointer such as #/messages/0/role. */
function namesOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The place of a JSON pointer: the value, or the value that should contain it. */
function placeOf(root: Json, pointer: string): { from: number; to: number } {
  let value = root
  for (const name of namesOf(pointer)) {
    const next = value.isArray ? value.elements()[Number(name)] : value.get(name)
    if (next === undefined || next.kind === 'missing') break
    value = next
  }
  const { starts, ends } = value.document.index
  const from = starts[value.node] ?? 0
  // An object or an array is marked by its opening bracket.
  return { from, to: value.isObject || value.isArray ? from + 1 : (ends[value.node] ?? from) }
}

/** The library's words, shortened to those of a form. */
function messageOf({ keyword, error, instanceLocation }: OutputUnit): string {
  const type = /^Instance type "(.+?)" is invalid\. Expected (.+)\.$/.exec(error)
  if (type)
    return `Must be ${(type[2] ?? '').replaceAll('"', '').replaceAll(', ', ' or ')}, not ${type[1] ?? ''}.`
  const missing = /required property "(.*)"\.$/.exec(error)
  if (missing) return `“${missing[1] ?? ''}” is missing.`
  const oneOf = /does not match any of \[(.*)\]\.$/.exec(error)
  if (oneOf) return `Must be one of ${(oneOf[1] ?? '').replaceAll(',', ', ')}.`
  const constant = /does not match (.*)\.$/.exec(error)
  if (keyword === 'const' && constant) return `Must be ${constant[1] ?? ''}.`
  // The schema of what is not allowed is false.
  if (keyword === 'false') return `“${namesOf(instanceLocation).at(-1) ?? ''}” is not allowed here.`
  if (keyword === 'pattern') return 'Does not have the required pattern.'
  return error.replace(/^Instance /, 'The value ')
}
