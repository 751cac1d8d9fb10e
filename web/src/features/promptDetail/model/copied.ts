import { Json } from '@/shared/io'
import type { PromptBody } from '@/shared/prompts'

/** A whole prompt as text: its text, or its messages as the API has them. */
export function copiedText(body: PromptBody): string {
  return body.type === 'text' ? body.prompt : JSON.stringify(body.prompt, null, 2)
}

/** Content and config as one JSON object, with the digits of the config. */
export function copiedAll(body: PromptBody): string {
  const prompt = JSON.stringify(body.prompt)
  return Json.parse(body.config) === undefined
    ? prompt
    : `{"type":"${body.type}","prompt":${prompt},"config":${body.config}}`
}
