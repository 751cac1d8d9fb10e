import { useState } from 'react'
import { Editor } from '@/shared/editor'

const schema = {
  type: 'object',
  required: ['question', 'language'],
  additionalProperties: false,
  properties: {
    question: { type: 'string', minLength: 3 },
    language: { enum: ['en', 'de', 'zh'] },
    limit: { type: 'integer', minimum: 1 },
  },
}
const template = `You answer questions about {{product}} in {{ language }}.

Say “I don't know” if the documents do not tell:
{{documents}}`

/** The editor in its modes and states. */
export function GalleryEditor() {
  const [text, setText] = useState(template)
  const [json, setJson] = useState(
    '{\n  "question": "Why?",\n  "language": "fr",\n  "limits": 3\n}',
  )
  const [broken, setBroken] = useState('{\n  "id": 12345678901234567890,\n  "tags": ["a", "b",]\n}')
  const [known, setKnown] = useState('Rate {{output}} for {{input}}, given {{context}}.')
  return (
    <div className="grid w-full min-w-0 gap-4 *:min-w-0 lg:grid-cols-2">
      <Editor
        label="Prompt"
        value={text}
        onChange={setText}
        mode={{ kind: 'template', variables: ['product', 'documents', 'question'] }}
      />
      <Editor
        label="Expected input"
        description="Checked against the schema of the dataset"
        value={json}
        onChange={setJson}
        mode={{ kind: 'json', schema }}
      />
      <Editor label="Metadata" value={broken} onChange={setBroken} mode={{ kind: 'json' }} />
      <Editor
        label="Evaluation prompt"
        value={known}
        onChange={setKnown}
        error="The model refused it"
        mode={{ kind: 'template', variables: ['input', 'output'], isClosed: true }}
      />
      <Editor label="Stored" value='{"a": [1, true, null, "text"]}' mode={{ kind: 'json' }} />
      <Editor
        label="Empty"
        value=""
        onChange={() => {}}
        mode={{ kind: 'text' }}
        placeholder="What is it for?"
      />
    </div>
  )
}
