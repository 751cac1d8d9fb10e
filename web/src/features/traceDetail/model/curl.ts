/** A shell command that reads an observation. Ids may contain anything, so they are quoted and encoded. */
export function curlCommand(server: string, traceId: string, observationId: string): string {
  const filter = JSON.stringify([
    { type: 'string', column: 'id', operator: '=', value: observationId },
  ])
  return [
    `curl --get ${quoted(`${server}/api/public/v2/observations`)}`,
    `  --user "$LANGFUSE_PUBLIC_KEY:$LANGFUSE_SECRET_KEY"`,
    `  --data-urlencode ${quoted(`traceId=${traceId}`)}`,
    `  --data-urlencode ${quoted(`filter=${filter}`)}`,
    `  --data-urlencode fields=core,basic,time,io,metadata,model,usage,prompt,metrics,trace_context`,
  ].join(' \\\n')
}

/** Quotes a string as a single shell word. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
