import { useState } from 'react'
import { basePath } from '@/shared/lib/url'
import { givenLabels, latest, namesIn, type PromptVersion } from '@/shared/prompts'
import { CodeBlock, SegmentedControl, Select } from '@/shared/ui'
import { snippetsOf } from '../model/snippets'

/** Code that reads the prompt, by a label or by the number of the version. */
export function UseTab({ prompt }: { prompt: PromptVersion }) {
  const labels = [...givenLabels(prompt.labels), ...prompt.labels.filter((l) => l === latest)]
  const [by, setBy] = useState<string>()
  const [language, setLanguage] = useState('python')
  const numbered = `version ${prompt.version}` // no label has a space
  const options = [...labels, numbered]
  const wanted = options.find((each) => each === by) ?? options[0] ?? numbered
  const snippets = snippetsOf({
    server: location.origin + basePath,
    name: prompt.name,
    wanted: wanted === numbered ? { version: prompt.version } : { label: wanted },
    body: prompt.body,
    variables: namesIn(prompt.body).variables,
  })
  const shown = snippets.find(({ id }) => id === language) ?? snippets[0]
  return (
    <div className="flex max-w-3xl min-w-0 flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="Which version"
          options={options.map((each) => ({
            id: each,
            label: each === numbered ? `Version ${prompt.version}` : `The one with label ${each}`,
          }))}
          value={wanted}
          onChange={setBy}
          className="w-64"
        />
        <SegmentedControl
          label="Language"
          options={snippets.map(({ id, label }) => ({ id, label }))}
          value={shown?.id ?? ''}
          onChange={setLanguage}
        />
      </div>
      {shown && (
        <>
          <CodeBlock code={shown.code} label={`${shown.label} code`} />
          {shown.note !== undefined && <p className="text-sm text-text-3">{shown.note}</p>}
        </>
      )}
      <p className="text-sm text-text-3">
        By a label, applications get another version as soon as the label moves; the SDKs ask again
        after a minute. By its number, they keep this one.
      </p>
    </div>
  )
}
