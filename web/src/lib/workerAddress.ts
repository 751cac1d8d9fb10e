type Policy = { createScriptURL: (url: string) => unknown }
type Factory = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy
}

let policy: Policy | undefined

/**
 * The URL of a worker script in the form that the page's Trusted Types policy requires; only URLs of this origin are
 * accepted. Every worker is started with it.
 */
export function workerAddress(address: string): URL {
  const url = new URL(address, import.meta.url)
  if (url.origin !== location.origin) throw new Error(`${url.origin} has no scripts of ours`)
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  if (!trustedTypes) return url
  policy ??= trustedTypes.createPolicy('almanac', { createScriptURL: (same) => same })
  // A browser that has the policy accepts its result instead of a URL.
  return policy.createScriptURL(url.href) as URL
}
