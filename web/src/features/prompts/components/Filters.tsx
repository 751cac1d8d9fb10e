import { useSearchState } from '@/shared/lib/useSearchState'
import { Button, SearchField, SegmentedControl, Select } from '@/shared/ui'
import { isFiltered, type Selection } from '../model/browse'

type FiltersProps = {
  selection: Selection
  labels: readonly string[]
  tags: readonly string[]
}

const any = ' any'

/** What the list is narrowed by: a text, the type, a label, a tag. */
export function Filters({ selection, labels, tags }: FiltersProps) {
  const [, change] = useSearchState()
  const chosen = (id: string) => (id === any ? undefined : id)
  return (
    <>
      <SearchField
        label="Search prompts"
        placeholder={selection.in === 'content' ? 'Search in prompts' : 'Search names and tags'}
        value={selection.search ?? ''}
        onChange={(text) => change({ search: text === '' ? undefined : text })}
      />
      <SegmentedControl
        label="Where to search"
        options={[
          { id: 'name', label: 'Names' },
          { id: 'content', label: 'Content' },
        ]}
        value={selection.in}
        onChange={(id) => change({ searchType: id === 'content' ? id : undefined })}
      />
      <Select
        label="Type"
        hideLabel
        className="w-28"
        options={[
          { id: any, label: 'Any type' },
          { id: 'text', label: 'Text' },
          { id: 'chat', label: 'Chat' },
        ]}
        value={selection.type ?? any}
        onChange={(id) => change({ type: chosen(id) })}
      />
      <Select
        label="Label"
        hideLabel
        className="w-36"
        options={optionsOf('Any label', labels, selection.label)}
        value={selection.label ?? any}
        onChange={(id) => change({ label: chosen(id) })}
      />
      {(tags.length > 0 || selection.tag !== undefined) && (
        <Select
          label="Tag"
          hideLabel
          className="w-32"
          options={optionsOf('Any tag', tags, selection.tag)}
          value={selection.tag ?? any}
          onChange={(id) => change({ tag: chosen(id) })}
        />
      )}
      {isFiltered(selection) && (
        <Button
          size="sm"
          variant="ghost"
          onPress={() =>
            change({ search: undefined, type: undefined, label: undefined, tag: undefined })
          }
        >
          Clear
        </Button>
      )}
    </>
  )
}

/** The values, with the chosen one even if no prompt has it any more. */
function optionsOf(all: string, values: readonly string[], chosen: string | undefined) {
  const known = new Set(values)
  if (chosen !== undefined) known.add(chosen)
  return [{ id: any, label: all }, ...[...known].map((id) => ({ id, label: id }))]
}
