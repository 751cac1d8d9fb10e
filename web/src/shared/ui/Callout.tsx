import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import type { Tone } from './tone'

const looks: Record<Tone, { box: string; icon: ReactNode }> = {
  neutral: {
    box: 'bg-surface-1 border-border',
    icon: <Info aria-hidden className="text-text-3" />,
  },
  accent: {
    box: 'bg-accent-soft border-accent/30',
    icon: <Info aria-hidden className="text-accent" />,
  },
  success: {
    box: 'bg-success-soft border-success/30',
    icon: <CircleCheck aria-hidden className="text-success" />,
  },
  warning: {
    box: 'bg-warning-soft border-warning/30',
    icon: <TriangleAlert aria-hidden className="text-warning" />,
  },
  danger: {
    box: 'bg-danger-soft border-danger/30',
    icon: <CircleAlert aria-hidden className="text-danger" />,
  },
}

type CalloutProps = { tone?: Tone; title?: string; action?: ReactNode; children?: ReactNode }

/** A notice shown where it matters. Danger is announced immediately. */
export function Callout({ tone = 'neutral', title, action, children }: CalloutProps) {
  const look = looks[tone]
  return (
    <div
      role={tone === 'danger' ? 'alert' : undefined}
      className={cx(
        'flex items-start gap-2 rounded-md border px-3 py-2 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0',
        look.box,
      )}
    >
      {look.icon}
      <div className="min-w-0 flex-1 break-words text-text-1">
        {title !== undefined && <p className="font-medium">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  )
}
