import type { NewScoreConfig, ScoreConfig, ScoreConfigChange } from '@/shared/scoring'

export type DataType = ScoreConfig['dataType']

export const dataTypes: readonly { id: DataType; label: string; description: string }[] = [
  { id: 'NUMERIC', label: 'Number', description: 'With an optional range' },
  { id: 'CATEGORICAL', label: 'Category', description: 'One of a list' },
  { id: 'BOOLEAN', label: 'Yes or no', description: 'True or false' },
  { id: 'TEXT', label: 'Text', description: 'Anything that is written' },
]

export function dataTypeLabel(type: DataType): string {
  return dataTypes.find((each) => each.id === type)?.label ?? type
}

export type CategoryDraft = { key: string; label: string; value: string }

/** The values of the config form. */
export type ConfigValues = {
  name: string
  dataType: DataType
  description: string
  minValue: string
  maxValue: string
  categories: CategoryDraft[]
}

let count = 0
export function newCategory(label = '', value = ''): CategoryDraft {
  count += 1
  return { key: String(count), label, value }
}

export function emptyConfig(): ConfigValues {
  return {
    name: '',
    dataType: 'NUMERIC',
    description: '',
    minValue: '',
    maxValue: '',
    categories: [newCategory('good', '1'), newCategory('bad', '0')],
  }
}

export function toValues(config: ScoreConfig): ConfigValues {
  return {
    name: config.name,
    dataType: config.dataType,
    description: config.description ?? '',
    minValue: config.minValue === null ? '' : String(config.minValue),
    maxValue: config.maxValue === null ? '' : String(config.maxValue),
    categories: (config.categories ?? []).map((each) =>
      newCategory(each.label, String(each.value)),
    ),
  }
}

export function configProblems(values: ConfigValues): Partial<Record<keyof ConfigValues, string>> {
  const [min, max] = [toNumber(values.minValue), toNumber(values.maxValue)]
  const isNumeric = values.dataType === 'NUMERIC'
  return {
    name: nameProblem(values.name.trim()),
    minValue: isNumeric && Number.isNaN(min) ? 'Enter a number' : undefined,
    maxValue: !isNumeric
      ? undefined
      : Number.isNaN(max)
        ? 'Enter a number'
        : min !== undefined && max !== undefined && max <= min
          ? 'Must be above the smallest'
          : undefined,
    categories: values.dataType === 'CATEGORICAL' ? categoryProblem(values.categories) : undefined,
  }
}

function nameProblem(name: string): string | undefined {
  if (name === '') return 'Enter a name'
  return /^[\p{L}\p{N} _.()-]{1,35}$/u.test(name)
    ? undefined
    : 'Letters, digits, spaces and _ . ( ) - only, at most 35 characters'
}

function categoryProblem(categories: CategoryDraft[]): string | undefined {
  if (categories.length === 0) return 'Add at least one category'
  const labels = categories.map((each) => each.label.trim())
  if (labels.includes('')) return 'Every category needs a label'
  if (new Set(labels).size < labels.length) return 'Labels must differ'
  const values = categories.map((each) => toNumber(each.value))
  if (values.some((value) => value === undefined || Number.isNaN(value)))
    return 'Every category needs a number as its value'
  return new Set(values).size < values.length ? 'Values must differ' : undefined
}

export function configRequest(values: ConfigValues): NewScoreConfig {
  return {
    name: values.name.trim(),
    dataType: values.dataType,
    description: values.description.trim() === '' ? null : values.description.trim(),
    ...(values.dataType === 'NUMERIC' && {
      minValue: toNumber(values.minValue) ?? null,
      maxValue: toNumber(values.maxValue) ?? null,
    }),
    ...(values.dataType === 'CATEGORICAL' && { categories: toCategories(values) }),
  }
}

/** The request that changes a config. A limit can be moved but not removed: the server keeps what is left out. */
export function configChange(values: ConfigValues): ScoreConfigChange {
  const [min, max] = [toNumber(values.minValue), toNumber(values.maxValue)]
  return {
    name: values.name.trim(),
    description: values.description.trim(),
    ...(values.dataType === 'NUMERIC' && {
      ...(min !== undefined && { minValue: min }),
      ...(max !== undefined && { maxValue: max }),
    }),
    ...(values.dataType === 'CATEGORICAL' && { categories: toCategories(values) }),
  }
}

function toCategories(values: ConfigValues) {
  return values.categories.map((each) => ({ label: each.label.trim(), value: Number(each.value) }))
}

/** The values that a config allows, in a few words. */
export function describeRange(config: ScoreConfig): string {
  switch (config.dataType) {
    case 'NUMERIC': {
      const { minValue: min, maxValue: max } = config
      if (min !== null && max !== null) return `${min} to ${max}`
      if (min !== null) return `${min} and above`
      return max === null ? 'Any number' : `Up to ${max}`
    }
    case 'CATEGORICAL':
      return (config.categories ?? []).map((each) => `${each.label} = ${each.value}`).join(', ')
    case 'BOOLEAN':
      return 'True or false'
    case 'TEXT':
      return 'Any text'
  }
}

function toNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text)
}
