import type { KeyPair } from '@/features/keys'

export type Snippet = { id: 'python' | 'js' | 'curl' | 'otel'; label: string; code: string }

/** What stands in for a key that the server does not show again. */
export const placeholder: KeyPair = { publicKey: 'pk-lf-…', secretKey: 'sk-lf-…' }

/** Code that sends a first trace, in four variants, ready to paste. */
export function snippets(address: string, keys: KeyPair): Snippet[] {
  const variables = [
    `export LANGFUSE_PUBLIC_KEY="${keys.publicKey}"`,
    `export LANGFUSE_SECRET_KEY="${keys.secretKey}"`,
    `export LANGFUSE_BASE_URL="${address}"`,
  ].join('\n')
  return [
    {
      id: 'python',
      label: 'Python',
      code: `pip install langfuse
${variables}

python3 - <<'EOF'
from langfuse import get_client, observe

@observe()
def hello():
    return "Hello, Almanac"

hello()
get_client().flush()
EOF`,
    },
    {
      id: 'js',
      label: 'JavaScript',
      code: `npm install @langfuse/tracing @langfuse/otel @opentelemetry/sdk-trace-node
${variables}

cat > hello.mjs <<'EOF'
import { LangfuseSpanProcessor } from "@langfuse/otel";
import { startActiveObservation } from "@langfuse/tracing";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";

const provider = new NodeTracerProvider({ spanProcessors: [new LangfuseSpanProcessor()] });
provider.register();
await startActiveObservation("hello", async (span) => span.update({ output: "Hello, Almanac" }));
await provider.shutdown();
EOF
node hello.mjs`,
    },
    {
      id: 'curl',
      label: 'curl',
      code: `curl -u "${keys.publicKey}:${keys.secretKey}" ${address}/api/public/otel/v1/traces \\
  -H 'Content-Type: application/json' -d '{"resourceSpans":[{"scopeSpans":[{"spans":[
    {"traceId":"'$(openssl rand -hex 16)'","spanId":"'$(openssl rand -hex 8)'","name":"hello",
     "startTimeUnixNano":"'$(date +%s)'000000000","endTimeUnixNano":"'$(date +%s)'500000000"}]}]}]}'`,
    },
    {
      id: 'otel',
      label: 'OpenTelemetry',
      code: `export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
export OTEL_EXPORTER_OTLP_ENDPOINT="${address}/api/public/otel"
export OTEL_EXPORTER_OTLP_HEADERS="authorization=Basic%20$(printf %s "${keys.publicKey}:${keys.secretKey}" | base64 | tr -d '\\n')"`,
    },
  ]
}
