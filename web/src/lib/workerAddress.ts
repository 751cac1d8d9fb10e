type Policy = { createScriptURL: (url: string) => unknown }
type Factory = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy
}

let policy: Policy | undefined

/**
 * The address of a worker's script in the form that the page's policy demands: only addresses of our own origin become one.
 * Every worker is started with it.
 */
export function workerAddress(address: string): URL {
  const url = new URL(address, import.meta.url)
  if (url.origin !== location.origin) throw new Error(`${url.origin} has no scripts of ours`)
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  if (!trustedTypes) return url
  policy ??= trustedTypes.createPolicy('almanac', { createScriptURL: (same) => same })
  // A browser that has the policy takes what it returns in the place of an address.
  return policy.createScriptURL(url.href) as URL
}
