import { Link, type LinkProps } from '@tanstack/react-router'
import { BarList } from '@/shared/charts'
import { LoadError } from '@/shared/errors'
import { numberOf } from '@/shared/metrics'
import type { Scope } from '@/shared/scope'
import { formatCount, formatMoney } from '@/shared/lib/format'
import { linkClass, Skeleton } from '@/shared/ui'
import { useMostExpensive } from '../api/useOverview'
import { modelLink } from '../model/links'

type CostListsProps = {
  projectId: string
  range: { from: Date; to: Date }
  environment: Scope['environment']
}

/** The highest costs, by model and by user. */
export function CostLists(props: CostListsProps) {
  const { projectId } = props
  return (
    <>
      <CostList
        {...props}
        title="Cost by model"
        by="providedModelName"
        link={(model) => ({ ...modelLink(model), params: { projectId } })}
      />
      <CostList
        {...props}
        title="Cost by user"
        by="userId"
        link={(userId) => ({
          to: '/project/$projectId/users/$userId',
          params: { projectId, userId },
        })}
      />
    </>
  )
}

type CostListProps = CostListsProps & {
  title: string
  by: 'providedModelName' | 'userId'
  link: (value: string) => LinkProps
}

function CostList({ projectId, range, environment, title, by, link }: CostListProps) {
  const found = useMostExpensive(projectId, by, range, environment)
  return (
    <section className="flex min-w-0 flex-col gap-2">
      <h3 className="font-medium">{title}</h3>
      {found.isError ? (
        <LoadError title={`Couldn’t load ${title}`} query={found} />
      ) : !found.data ? (
        <Skeleton className="h-24" />
      ) : found.data.length === 0 ? (
        <p className="text-text-3">Nothing in this time range.</p>
      ) : (
        <BarList
          label={title}
          bars={found.data.map((row) => {
            const value = String(row[by] ?? '')
            const cost = numberOf(row, 'sum_totalCost') ?? 0
            return {
              id: value,
              value: cost,
              text: formatMoney(cost),
              detail: `${formatCount(numberOf(row, 'sum_totalTokens') ?? 0)} tokens`,
              label: (
                <Link {...link(value)} className={linkClass}>
                  <bdi>{value}</bdi>
                </Link>
              ),
            }
          })}
        />
      )}
    </section>
  )
}
