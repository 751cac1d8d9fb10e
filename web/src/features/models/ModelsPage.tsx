import { useNavigate } from '@tanstack/react-router'
import { Coins, Plus } from 'lucide-react'
import { GuardedPage, NeedsRole } from '@/shared/roles'
import { QueryTable } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import type { Column } from '@/shared/table'
import { Badge, Button, EmptyState, SearchField, Section } from '@/shared/ui'
import { useModels, type Model } from './api/useModels'
import { MatchTest } from './components/MatchTest'
import { PriceList } from './components/PriceList'
import { Unpriced } from './components/Unpriced'
import { useSearchState } from '@/shared/lib/useSearchState'

const columns: Column<Model>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 200,
    grows: true,
    required: true,
    sortable: true,
    cell: (model) => model.modelName,
  },
  {
    id: 'origin',
    header: 'From',
    width: 90,
    sortable: true,
    value: (model) => (model.isLangfuseManaged ? 'Built in' : 'Custom'),
    cell: (model) =>
      model.isLangfuseManaged ? <Badge>Built in</Badge> : <Badge tone="accent">Custom</Badge>,
  },
  {
    id: 'prices',
    header: 'Dollars per million',
    width: 300,
    cell: (model) => (
      <PriceList prices={model.pricingTiers.find((tier) => tier.isDefault)?.prices ?? {}} />
    ),
  },
  {
    id: 'tiers',
    header: 'Tiers',
    width: 70,
    align: 'end',
    sortable: true,
    value: (model) => model.pricingTiers.length,
    cell: (model) => <span className="tabular">{model.pricingTiers.length}</span>,
  },
  {
    id: 'pattern',
    header: 'Matches',
    width: 220,
    cell: (model) => <code className="font-mono text-sm">{model.matchPattern}</code>,
  },
]

/** The definitions that turn usage into cost: a match test, the models without a price, and the full list. */
export function ModelsPage() {
  const { project } = useProject()
  const navigate = useNavigate()
  const open = (id: string) =>
    void navigate({
      to: '/project/$projectId/settings/models/$modelId',
      params: { projectId: project.id, modelId: id },
    })
  return (
    <GuardedPage
      frame="settings"
      title="Models and prices"
      description="A generation is priced by the first definition that matches its model name. Custom models come before built-in ones."
      permission="traces:read"
      doing="see models"
      actions={
        <NeedsRole doing="define models" permission="project:admin">
          <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => open('new')}>
            New model
          </Button>
        </NeedsRole>
      }
    >
      <Section title="Match test">
        <MatchTest />
      </Section>
      <Section title="Without a price">
        <Unpriced />
      </Section>
      <Section title="Definitions">
        <Definitions onOpen={open} />
      </Section>
    </GuardedPage>
  )
}

function Definitions({ onOpen }: { onOpen: (id: string) => void }) {
  const { project } = useProject()
  const models = useModels(project.id)
  const [{ q = '' }, change] = useSearchState()
  const find = q.toLowerCase()
  return (
    <QueryTable
      label="Models"
      what="the models"
      columns={columns}
      query={models}
      rows={models.data?.filter((model) => model.modelName.toLowerCase().includes(find))}
      rowId={(model) => model.id}
      onOpen={(model) => onOpen(model.id)}
      toolbar={
        <SearchField
          label="Find a model"
          placeholder="Find a model"
          value={q}
          onChange={(text) => change({ q: text === '' ? undefined : text }, { replace: true })}
        />
      }
      empty={
        <EmptyState icon={<Coins aria-hidden />} title="No matching models">
          Try a shorter name, or define a model.
        </EmptyState>
      }
    />
  )
}
