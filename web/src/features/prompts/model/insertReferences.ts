import { marksOf, writeReference, type PromptBody } from '@/shared/prompts'

/** A prompt with its references replaced by the texts that were found; others stay as they are written. */
export function insertReferences(body: PromptBody, found: ReadonlyMap<string, string>): PromptBody {
  if (found.size === 0) return body
  return body.type === 'text'
    ? { ...body, prompt: inserted(body.prompt, found) }
    : {
        ...body,
        prompt: body.prompt.map((message) =>
          'type' in message ? message : { ...message, content: inserted(message.content, found) },
        ),
      }
}

function inserted(text: string, found: ReadonlyMap<string, string>): string {
  const pieces: string[] = []
  let at = 0
  for (const mark of marksOf(text)) {
    if (mark.kind !== 'reference') continue
    const content = found.get(writeReference(mark.reference))
    if (content === undefined) continue
    pieces.push(text.slice(at, mark.from), content)
    at = mark.to
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(at)
}
