export type UsageRow = { type: string; units: number | undefined; cost: number | undefined }

/** Units and costs by type in descending order, the total last. */
export function usageRows(
  usage: Record<string, number>,
  costs: Record<string, number>,
): UsageRow[] {
  const types = [...new Set([...Object.keys(usage), ...Object.keys(costs)])]
  return types
    .map((type) => ({
      type,
      units: Object.hasOwn(usage, type) ? usage[type] : undefined,
      cost: Object.hasOwn(costs, type) ? costs[type] : undefined,
    }))
    .sort(
      (a, b) =>
        Number(a.type === 'total') - Number(b.type === 'total') ||
        (b.units ?? 0) - (a.units ?? 0) ||
        a.type.localeCompare(b.type),
    )
}
