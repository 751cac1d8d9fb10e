/**
 * The colours of types as backgrounds and fills. Class names are spelled out, because the style sheet is generated from
 * them.
 */
const colors: Record<string, { bar: string; fill: string }> = {
  SPAN: { bar: 'bg-type-span', fill: 'fill-type-span' },
  GENERATION: { bar: 'bg-type-generation', fill: 'fill-type-generation' },
  EVENT: { bar: 'bg-type-event', fill: 'fill-type-event' },
  AGENT: { bar: 'bg-type-agent', fill: 'fill-type-agent' },
  TOOL: { bar: 'bg-type-tool', fill: 'fill-type-tool' },
  CHAIN: { bar: 'bg-type-chain', fill: 'fill-type-chain' },
  RETRIEVER: { bar: 'bg-type-retriever', fill: 'fill-type-retriever' },
  EVALUATOR: { bar: 'bg-type-evaluator', fill: 'fill-type-evaluator' },
  EMBEDDING: { bar: 'bg-type-embedding', fill: 'fill-type-embedding' },
  GUARDRAIL: { bar: 'bg-type-guardrail', fill: 'fill-type-guardrail' },
}
const fallback = { bar: 'bg-type-span', fill: 'fill-type-span' }

export function typeColor(type: string): { bar: string; fill: string } {
  return colors[type] ?? fallback
}
