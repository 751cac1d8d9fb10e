import { Lock } from 'lucide-react'
import { byImportance, latest, production } from '@/shared/prompts'
import { Badge } from '@/shared/ui'

type LabelBadgesProps = { labels: readonly string[]; protectedLabels?: readonly string[] }

/** The labels of a version, the most important first; protected ones have a lock. */
export function LabelBadges({ labels, protectedLabels = [] }: LabelBadgesProps) {
  return labels.toSorted(byImportance).map((label) => (
    <Badge
      key={label}
      tone={label === production ? 'success' : label === latest ? 'neutral' : 'accent'}
      icon={protectedLabels.includes(label) ? <Lock aria-label="protected" /> : undefined}
    >
      {label}
    </Badge>
  ))
}
