import { givenLabels, production } from '@/shared/prompts'
import { Badge } from '@/shared/ui'

type LabelChipsProps = { labels: Readonly<Record<string, number>>; newest: number }

/** The labels of a prompt with the versions that they are on. Of latest it is known which one that is. */
export function LabelChips({ labels, newest }: LabelChipsProps) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      {givenLabels(Object.keys(labels)).map((label) => {
        const version = labels[label] ?? newest
        return (
          <Badge key={label} tone={label === production ? 'success' : 'neutral'}>
            <span title={version < newest ? `${newest - version} behind the newest version` : ''}>
              {label} <span className="tabular">v{version}</span>
            </span>
          </Badge>
        )
      })}
    </span>
  )
}
