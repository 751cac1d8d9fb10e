import { Diff } from '@/shared/diff'

const lines = Array.from({ length: 12 }, (_, at) => `Rule ${at + 1}: be brief.`).join('\n')
const before = `You are a helpful assistant.\nAnswer in two sentences.\n${lines}\nNever guess.`
const after = `You are a careful assistant.\nAnswer in two sentences.\n${lines}\nNever  guess.\nSay when you are not sure.`
const json = [
  '{"id": 1234567890123456789, "model": "small", "tags": ["a", "b"], "limit": 1.0}',
  '{"model": "small", "id": 1234567890123456780, "tags": ["a", "c", "d"], "limit": 1}',
] as const

/** Texts and JSON, inline and side by side. */
export function GalleryDiff() {
  return (
    <div className="flex w-full min-w-0 flex-col gap-4">
      <Diff label="Prompt" before={before} after={after} names={['Version 6', 'Version 7']} />
      <Diff label="Prompt, beside" before={before} after={after} layout="sides" />
      <Diff label="Config" before={json[0]} after={json[1]} layout="sides" names={['A', 'B']} />
      <Diff label="Nothing" before='{"a": 1, "b": 2}' after='{"b":2,"a":1}' layout="inline" />
    </div>
  )
}
