import type { Format } from './format'
import { mediaPart } from './media'
import { textParts } from './parts'

/** OpenInference messages after they were reassembled: everything is wrapped once more. */
export const openInference: Format = {
  message: (value, read) => {
    const message = value.get('message')
    if (!message.isObject || value.get('role').exists || value.get('finish_reason').exists)
      return undefined
    if (!message.get('role').exists) return undefined
    const contents = message.get('contents')
    const { messages, tools } = read.messages(message)
    const [only] = messages
    if (!contents.isArray || !only || messages.length > 1) return { messages, tools }
    const parts = read.parts(contents)
    return { messages: [{ ...only, parts: [...parts, ...only.parts] }], tools }
  },
  part: (value, read) => {
    const content = value.get('message_content')
    if (!content.isObject) return undefined
    switch (content.get('type').string) {
      case 'image': {
        const image = content.get('image')
        return mediaPart(
          image.string ?? image.get('image').get('url').string ?? image.get('url').string,
          {
            kind: 'image',
          },
        )
      }
      case 'audio': {
        const audio = content.get('audio')
        return mediaPart(audio.get('audio').get('url').string ?? audio.get('url').string, {
          kind: 'audio',
        })
      }
      case 'text':
      case undefined:
        return textParts(content.get('text').string)
      default:
        return read.parts(content)
    }
  },
}
