import { CalendarDate } from '@internationalized/date'
import { useState } from 'react'
import {
  Breadcrumbs,
  Button,
  Chips,
  ExternalLink,
  FileDrop,
  MultiSelect,
  NumberField,
  RangePicker,
  toast,
  type DayRange,
} from '@/shared/ui'

const models = ['small', 'large', 'fast', 'slow', 'old'].map((id) => ({ id, label: id }))

/** Fields for several values, numbers, days and files. */
export function GalleryControls() {
  const [tags, setTags] = useState(['billing', 'a,b', 'urgent'])
  const [chosen, setChosen] = useState<string[]>(['small', 'fast'])
  const [days, setDays] = useState<DayRange | null>({
    start: new CalendarDate(2026, 1, 12),
    end: new CalendarDate(2026, 1, 16),
  })
  const [file, setFile] = useState('')
  return (
    <div className="grid w-full min-w-0 items-start gap-4 sm:grid-cols-2">
      <Breadcrumbs
        items={[
          { id: 'd', content: <ExternalLink href="https://example.com/">Datasets</ExternalLink> },
          { id: 'q', content: <ExternalLink href="https://example.com/">Questions</ExternalLink> },
          { id: 'i', content: 'Item 12' },
        ]}
      />
      <div>
        <Button
          onPress={() =>
            toast('The export is ready', { action: { label: 'Show exports', onAction: () => {} } })
          }
        >
          Toast with an action
        </Button>
      </div>
      <Chips
        label="Tags"
        chips={tags.map((id) => ({ id, label: id }))}
        onRemove={(gone) => setTags(tags.filter((each) => each !== gone))}
      />
      <MultiSelect label="Models" options={models} value={chosen} onChange={setChosen} />
      <NumberField label="Repetitions" defaultValue={3} minValue={1} maxValue={30} />
      <NumberField label="Temperature" defaultValue={2.4} step={0.1} error="At most 2" />
      <RangePicker label="Days" value={days} onChange={setDays} />
      <FileDrop
        label="Drop a file with items"
        description={file === '' ? 'CSV or JSON lines, up to 10 MB' : file}
        accepts={['.csv', '.jsonl']}
        maxBytes={10_000_000}
        onFile={({ name }) => setFile(name)}
      />
    </div>
  )
}
