import { useState } from 'react'
import { Value } from '@/shared/io'
import { Button } from '@/shared/ui'
import { hugeJson, nastyValues } from './model/nastyValues'

/** Values as people log them, and as nobody should. */
export function GalleryValues() {
  const [huge, setHuge] = useState<string>()
  const [isWhole, setWhole] = useState(false)
  return (
    <div className="flex w-full min-w-0 flex-col gap-4">
      {nastyValues.map(({ label, field, text }) => (
        <Value key={label} label={label} field={field} text={text} />
      ))}
      <Value
        label="Shortened"
        field="input"
        text={isWhole ? shortened : shortened.slice(0, 200)}
        size={shortened.length}
        onLoadRest={() => setWhole(true)}
      />
      {huge === undefined ? (
        <div>
          <Button onPress={() => setHuge(hugeJson(20_000_000))}>Make 20 MB of JSON</Button>
        </div>
      ) : (
        <Value label="20 MB" field="metadata" text={huge} />
      )}
    </div>
  )
}

const shortened = JSON.stringify([
  { role: 'system', content: 'You are a helpful assistant that answers in one sentence.' },
  {
    role: 'user',
    content: 'Tell me about the weather in Oslo, and what to wear for it. '.repeat(9),
  },
])
