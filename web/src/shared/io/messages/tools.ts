import type { Json } from '../json/model/json'
import type { ToolDefinition } from './types'

/** The tools defined by a list, without duplicate names. */
export function toolDefinitions(list: Json): ToolDefinition[] {
  const found = new Map<string, ToolDefinition>()
  const add = (value: Json) => {
    const tool = toolDefinition(value)
    if (tool && !found.has(tool.name)) found.set(tool.name, tool)
  }
  for (const each of list.unwrapped.elements()) {
    const one = each.unwrapped
    const declared = one.first('functionDeclarations', 'function_declarations') // Gemini
    if (declared.isArray) declared.elements().forEach(add)
    else add(one)
  }
  // The AI SDK keys them by name.
  for (const [name, value] of list.members())
    if (value.isObject && !found.has(name)) found.set(name, { name, ...details(value) })
  return [...found.values()]
}

export function toolDefinition(value: Json): ToolDefinition | undefined {
  const inner = value.first('function', 'toolSpec', 'custom')
  const from = inner.isObject ? inner : value
  const name = from.first('name', 'type').string
  if (name === undefined || name === '') return undefined
  return { name, ...details(from) }
}

function details(from: Json): Omit<ToolDefinition, 'name'> {
  const description = from.first('description', 'desc').string
  const schema = from.first(
    'parameters',
    'input_schema',
    'inputSchema',
    'parameters_json_schema',
    'parametersJsonSchema',
    'parameters_schema',
  )
  const inner = schema.get('json').isObject ? schema.get('json') : schema.get('jsonSchema')
  const parameters = inner.isObject ? inner : schema
  return {
    ...(description !== undefined && { description }),
    ...(parameters.exists && { parameters: parameters.asText }),
  }
}
