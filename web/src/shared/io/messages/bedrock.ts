import type { Json } from '../json/model/json'
import type { Format } from './format'
import { mediaPart, typeOfWord } from './media'
import { hiddenThinking, other, thinking, toolCall, toolResult } from './parts'
import type { MediaKind, Part } from './types'

/** Amazon Bedrock's Converse API: a part is an object whose only member names its kind. */
export const bedrock: Format = {
  value: (value, read) => {
    const answer = value.get('output').get('message')
    if (answer.isObject) return read.messages(answer)
    const messages = value.get('messages')
    const tools = value.get('toolConfig').get('tools')
    if (!messages.isArray || !(tools.isArray || value.get('modelId').exists)) return undefined
    const said = read.messages(messages)
    const system = value.get('system')
    return {
      messages: [
        ...(system.exists ? [{ role: 'system', parts: read.parts(system) }] : []),
        ...said.messages,
      ],
      tools: [...read.tools(tools), ...said.tools],
    }
  },
  part: (value, read) => {
    if (!value.isObject || value.get('type').exists) return undefined
    const use = value.get('toolUse')
    if (use.isObject) {
      const call = toolCall(use)
      return call && [call]
    }
    const result = value.get('toolResult')
    if (result.isObject) {
      const content = result
        .get('content')
        .elements()
        .flatMap((each): Part[] =>
          each.get('json').exists ? [other(each.get('json'))] : read.parts(each),
        )
      const isError = result.get('status').string === 'error'
      return [toolResult(result.get('toolUseId'), result.get('name'), content, isError)]
    }
    const reasoning = value.get('reasoningContent')
    if (reasoning.isObject) {
      const text = reasoning.get('reasoningText').get('text').string
      return text === undefined ? hiddenThinking : thinking(text)
    }
    const guarded = value.get('guardContent').get('text').get('text')
    if (guarded.isString) return read.parts(guarded)
    if (value.get('cachePoint').isObject) return []
    return (
      file(value.get('image'), 'image') ??
      file(value.get('video'), 'video') ??
      file(value.get('audio'), 'audio') ??
      file(value.get('document'), 'file')
    )
  },
}

function file(value: Json, kind: MediaKind): Part[] | undefined {
  const source = value.get('source')
  if (!source.isObject) return undefined
  return mediaPart(source.get('bytes').string ?? source.get('s3Location').get('uri').string, {
    kind,
    type: typeOfWord(kind, value.get('format').string),
    name: value.get('name').string,
  })
}
