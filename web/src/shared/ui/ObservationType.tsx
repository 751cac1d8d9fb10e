import {
  Bot,
  Braces,
  Database,
  Gauge,
  Link2,
  MessageSquareText,
  Search,
  ShieldCheck,
  Wrench,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'

const types: Record<string, { icon: ReactNode; text: string }> = {
  SPAN: { icon: <Braces aria-hidden />, text: 'text-type-span' },
  GENERATION: { icon: <MessageSquareText aria-hidden />, text: 'text-type-generation' },
  EVENT: { icon: <Zap aria-hidden />, text: 'text-type-event' },
  AGENT: { icon: <Bot aria-hidden />, text: 'text-type-agent' },
  TOOL: { icon: <Wrench aria-hidden />, text: 'text-type-tool' },
  CHAIN: { icon: <Link2 aria-hidden />, text: 'text-type-chain' },
  RETRIEVER: { icon: <Search aria-hidden />, text: 'text-type-retriever' },
  EVALUATOR: { icon: <Gauge aria-hidden />, text: 'text-type-evaluator' },
  EMBEDDING: { icon: <Database aria-hidden />, text: 'text-type-embedding' },
  GUARDRAIL: { icon: <ShieldCheck aria-hidden />, text: 'text-type-guardrail' },
}

/** The type of an observation: a coloured icon and the name, which may be visible only to screen readers. */
export function ObservationType({ type, hideLabel }: { type: string; hideLabel?: boolean }) {
  const known = types[type] ?? { icon: <Braces aria-hidden />, text: 'text-type-span' }
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1 align-middle text-sm [&_svg]:size-3.5',
        known.text,
      )}
    >
      {known.icon}
      <span className={hideLabel ? 'sr-only' : undefined}>
        {type.charAt(0) + type.slice(1).toLowerCase()}
      </span>
    </span>
  )
}
