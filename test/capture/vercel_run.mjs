// Vercel AI SDK with its own telemetry: generateText with a tool, streamText, generateObject, embed.
import { createOpenAI } from '@ai-sdk/openai'
import * as ai from 'ai'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { z } from 'zod'

const provider = new NodeTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(new OTLPTraceExporter({ url: process.env.SINK_URL + '/v1/traces' }))],
})
provider.register()
try {
  const { OpenTelemetry } = await import('@ai-sdk/otel')
  ai.registerTelemetry?.(new OpenTelemetry())
} catch {} // versions before 7 need no registration
const openai = createOpenAI({ baseURL: process.env.MODEL_URL + '/v1', apiKey: 'unused' })
const model = openai.chat('gpt-5-mini')
const telemetry = { isEnabled: true, functionId: 'weather', metadata: { userId: 'user-1', sessionId: 'session-1', tags: ['blue'] } }
const common = { model, prompt: 'What is the weather in Oslo?', experimental_telemetry: telemetry, telemetry }

const getWeather = ai.tool({
  description: 'The weather of a city.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
})
await ai.generateText({ ...common, tools: { get_weather: getWeather }, stopWhen: ai.stepCountIs?.(2) ?? ai.isStepCount(2) })
const stream = ai.streamText(common)
for await (const _ of stream.textStream);
await ai.embed({ model: openai.embedding('text-embedding-3-small'), value: 'to embed', experimental_telemetry: telemetry, telemetry })
await provider.forceFlush()
