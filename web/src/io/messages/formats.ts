import { anthropic } from './anthropic'
import { bedrock } from './bedrock'
import type { Format } from './format'
import { gemini } from './gemini'
import { genai } from './genai'
import { langchain } from './langchain'
import { llamaIndex } from './llamaIndex'
import { mcp } from './mcp'
import { openaiChat } from './openaiChat'
import { openaiResponses } from './openaiResponses'
import { openInference } from './openInference'
import { pydanticAi } from './pydanticAi'
import { vercel } from './vercel'

/**
 * Every format, in the order in which they are asked. Those that know themselves by a mark of their own come first; OpenAI's
 * chat, whose messages are any with a role, comes last.
 */
export const formats: readonly Format[] = [
  pydanticAi,
  llamaIndex,
  langchain,
  openInference,
  genai,
  gemini,
  bedrock,
  anthropic,
  openaiResponses,
  vercel,
  mcp,
  openaiChat,
]
