import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { messageOf } from '@/shared/api'
import { useProject } from '@/shared/currentUser'
import { Badge, Callout, linkClass, TextField } from '@/shared/ui'
import { useMatch } from '../api/useMatch'
import { PriceList } from './PriceList'

/** Shows which definition prices a name that an application sends. */
export function MatchTest() {
  const { project } = useProject()
  const [text, setText] = useState('')
  const name = useDeferredValue(text.trim())
  const match = useMatch(project.id, name)
  const found = match.data
  const tier =
    found?.model?.pricingTiers.find((each) => each.name === found.tier) ??
    found?.model?.pricingTiers.find((each) => each.isDefault)
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      <TextField
        label="Which definition matches a name?"
        placeholder="gpt-5-mini-2026-01-01"
        value={text}
        onChange={setText}
        autoComplete="off"
        spellCheck="false"
        mono
      />
      <div role="status" className="min-h-6">
        {name === '' ? (
          <p className="text-text-3">Type the name of a model as your application sends it.</p>
        ) : match.isError ? (
          <Callout tone="danger">{messageOf(match.error)}</Callout>
        ) : found === undefined ? (
          <p className="text-text-3">Looking…</p>
        ) : found.model === null ? (
          <Callout
            tone="warning"
            action={
              <Link
                to="/project/$projectId/settings/models/new"
                params={{ projectId: project.id }}
                search={{ name }}
                className={linkClass}
              >
                Define it
              </Link>
            }
          >
            Nothing matches <code className="font-mono text-sm">{name}</code>: its observations have
            tokens, but no cost.
          </Callout>
        ) : (
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span>
              <Link
                to="/project/$projectId/settings/models/$modelId"
                params={{ projectId: project.id, modelId: found.model.id }}
                className={linkClass}
              >
                {found.model.modelName}
              </Link>{' '}
              by <code className="font-mono text-sm break-all">{found.model.matchPattern}</code>
            </span>
            {found.model.isLangfuseManaged ? (
              <Badge>Built in</Badge>
            ) : (
              <Badge tone="accent">Custom</Badge>
            )}
            {tier && <PriceList prices={tier.prices} />}
          </div>
        )}
      </div>
    </div>
  )
}
