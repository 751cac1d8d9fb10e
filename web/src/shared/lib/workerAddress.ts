type Policy = { createScriptURL: (url: string) => unknown }
type Factory = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy
}

let policy: Policy | undefined

/**
 * The URL of a worker script in the form that the page's Trusted Types policy requires; only URLs of the build's files
 * are accepted, not those of files that users stored at this origin. Every worker is started with it.
 */
export function workerAddress(address: string): URL {
  // The development server and tests name scripts from the root.
  const base = import.meta.env.PROD ? import.meta.url : `${location.origin}/`
  const url = new URL(address, base)
  const ours = new URL('./', base).href
  if (!url.href.startsWith(ours)) throw new Error(`${url.href} is no script of ours`)
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  if (!trustedTypes) return url
  policy ??= trustedTypes.createPolicy('almanac', { createScriptURL: (same) => same })
  // A browser that has the policy accepts its result instead of a URL.
  return policy.createScriptURL(url.href) as URL
}
