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
 * All formats, in the order in which they are tried. Those with a distinctive mark come first; OpenAI chat, which takes
 * any message with a role, comes last.
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
