import { Braces, FileText, ListPlus } from 'lucide-react'
import {
  ReferenceLink,
  writeReference,
  type PromptNames,
  type PromptReference,
} from '@/shared/prompts'
import { Badge } from '@/shared/ui'
import type { Found } from '../api/useEditing'

type NamesInDraftProps = { projectId: string; names: PromptNames; found: readonly Found[] }

const most = 100

function referenceText(reference: PromptReference): string {
  return `${reference.name}, ${
    'version' in reference ? `version ${reference.version}` : reference.label
  }`
}

/** What a draft takes and what it inserts, while it is written. */
export function NamesInDraft({ names, found }: NamesInDraftProps) {
  const { variables, placeholders } = names
  if (variables.length + placeholders.length + found.length === 0) return null
  return (
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-1.5 text-sm">
      {variables.length > 0 && (
        <>
          <dt className="text-text-3">Variables</dt>
          <dd className="flex min-w-0 flex-wrap gap-1">
            {variables.slice(0, most).map((name) => (
              <Badge key={name} icon={<Braces aria-hidden />}>
                <span className="font-mono">{name}</span>
              </Badge>
            ))}
            {variables.length > most && `and ${variables.length - most} more`}
          </dd>
        </>
      )}
      {placeholders.length > 0 && (
        <>
          <dt className="text-text-3">Placeholders</dt>
          <dd className="flex min-w-0 flex-wrap gap-1">
            {placeholders.map((name) => (
              <Badge key={name} tone="accent" icon={<ListPlus aria-hidden />}>
                <span className="font-mono">{name}</span>
              </Badge>
            ))}
          </dd>
        </>
      )}
      {found.length > 0 && (
        <>
          <dt className="text-text-3">Inserts</dt>
          <dd className="flex min-w-0 flex-col gap-1">
            {found.map((each) => (
              <span
                key={writeReference(each.reference)}
                className="flex min-w-0 flex-wrap items-center gap-x-2"
              >
                <FileText aria-hidden className="size-3.5 shrink-0 text-text-3" />
                <ReferenceLink reference={each.reference}>
                  {referenceText(each.reference)}
                </ReferenceLink>
                {each.state === 'found' && 'label' in each.reference && (
                  <span className="text-text-3">now version {each.version}</span>
                )}
                {each.state === 'failed' && <span className="text-danger">{each.problem}</span>}
              </span>
            ))}
          </dd>
        </>
      )}
    </dl>
  )
}
