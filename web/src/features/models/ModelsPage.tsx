import { useNavigate } from '@tanstack/react-router'
import { Coins, Plus } from 'lucide-react'
import { Forbidden, NeedsRole } from '@/shared/roles'
import { LoadError } from '@/shared/errors'
import { useProject } from '@/shared/currentUser'
import { tableHeight } from '@/shared/settings'
import { DataTable, sortRows, useTableState, type Column } from '@/shared/table'
import { Badge, Button, EmptyState, PageHeader, SearchField, Section } from '@/shared/ui'
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
  const { project, can } = useProject()
  if (can('traces:read')) return <Models />
  return (
    <>
      <PageHeader title="Models and prices" />
      <Forbidden doing="see models" permission="traces:read" level="project" role={project.role} />
    </>
  )
}

function Models() {
  const { project, can } = useProject()
  const models = useModels(project.id)
  const [{ q = '' }, change] = useSearchState()
  const [state, setState] = useTableState()
  const navigate = useNavigate()
  const find = q.toLowerCase()
  const rows =
    models.data &&
    sortRows(
      models.data.filter((model) => model.modelName.toLowerCase().includes(find)),
      state,
      {
        name: (model) => model.modelName,
        origin: (model) => (model.isLangfuseManaged ? 'Built in' : 'Custom'),
        tiers: (model) => model.pricingTiers.length,
      },
    )
  const open = (id: string) =>
    void navigate({
      to: '/project/$projectId/settings/models/$modelId',
      params: { projectId: project.id, modelId: id },
    })
  return (
    <>
      <PageHeader
        title="Models and prices"
        description="A generation is priced by the first definition that matches its model name. Custom models come before built-in ones."
        actions={
          can('project:admin') ? (
            <Button variant="primary" icon={<Plus aria-hidden />} onPress={() => open('new')}>
              New model
            </Button>
          ) : (
            <NeedsRole doing="define models" permission="project:admin" level="project" />
          )
        }
      />
      <Section title="Match test">
        <MatchTest />
      </Section>
      <Section title="Without a price">
        <Unpriced />
      </Section>
      <Section title="Definitions">
        <DataTable
          label="Models"
          columns={columns}
          rows={rows}
          rowId={(model) => model.id}
          state={state}
          onStateChange={setState}
          onOpen={(model) => open(model.id)}
          maxHeight={tableHeight}
          toolbar={
            <SearchField
              label="Find a model"
              placeholder="Find a model"
              value={q}
              onChange={(text) => change({ q: text === '' ? undefined : text }, { replace: true })}
            />
          }
          error={models.isError && <LoadError title="Couldn’t load the models" query={models} />}
          empty={
            <EmptyState icon={<Coins aria-hidden />} title="No matching models">
              Try a shorter name, or define a model.
            </EmptyState>
          }
        />
      </Section>
    </>
  )
}
