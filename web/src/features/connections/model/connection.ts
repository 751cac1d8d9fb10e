import type { NewConnection } from '../api/useConnections'

export type Adapter = NewConnection['adapter']

export const adapters: readonly { id: Adapter; label: string; description: string }[] = [
  { id: 'openai', label: 'OpenAI', description: 'And anything with a compatible API' },
  { id: 'anthropic', label: 'Anthropic', description: 'Claude' },
  { id: 'azure', label: 'Azure OpenAI', description: 'Needs the base address of the resource' },
  { id: 'bedrock', label: 'Amazon Bedrock', description: 'Needs a region' },
  { id: 'google-vertex-ai', label: 'Google Vertex AI', description: 'With a service account' },
  { id: 'google-ai-studio', label: 'Google AI Studio', description: 'Gemini' },
]

export function adapterLabel(adapter: Adapter): string {
  return adapters.find((each) => each.id === adapter)?.label ?? adapter
}

/** The values of the form. `region` is Bedrock's region or Vertex AI's location. */
export type ConnectionValues = {
  provider: string
  adapter: Adapter
  secretKey: string
  baseURL: string
  region: string
  customModels: string
  withDefaultModels: boolean
  extraHeaders: string
}

export const emptyConnection: ConnectionValues = {
  provider: '',
  adapter: 'openai',
  secretKey: '',
  baseURL: '',
  region: '',
  customModels: '',
  withDefaultModels: true,
  extraHeaders: '',
}

export function connectionProblems(
  values: ConnectionValues,
): Partial<Record<keyof ConnectionValues, string>> {
  return {
    provider: values.provider.trim() === '' ? 'Enter a name' : undefined,
    secretKey: values.secretKey === '' ? 'Enter the secret key' : undefined,
    baseURL: baseProblem(values),
    region:
      values.adapter === 'bedrock' && values.region.trim() === '' ? 'Enter the region' : undefined,
    extraHeaders: lines(values.extraHeaders).some((line) => !/^[^:\s]+:/.test(line))
      ? 'One header per line, such as X-Team: travel'
      : undefined,
  }
}

function baseProblem({ adapter, baseURL }: ConnectionValues): string | undefined {
  const text = baseURL.trim()
  if (text === '') return adapter === 'azure' ? 'Enter the address of the resource' : undefined
  return URL.canParse(text) && /^https?:/i.test(text)
    ? undefined
    : 'Enter a web address, such as https://api.example.com'
}

export function connectionRequest(values: ConnectionValues): NewConnection {
  const region = values.region.trim()
  const config =
    values.adapter === 'bedrock'
      ? { region }
      : values.adapter === 'google-vertex-ai' && region !== ''
        ? { location: region }
        : null
  const headers = lines(values.extraHeaders).map((line) => {
    const at = line.indexOf(':')
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()]
  })
  return {
    provider: values.provider.trim(),
    adapter: values.adapter,
    secretKey: values.secretKey,
    baseURL: values.baseURL.trim() === '' ? null : values.baseURL.trim(),
    customModels: lines(values.customModels),
    withDefaultModels: values.withDefaultModels,
    extraHeaders: headers.length === 0 ? null : Object.fromEntries(headers),
    // The API description says "an object", which the generated type takes for one without members.
    config: config as NewConnection['config'],
  }
}

function lines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}
