/**
 * The path of a page of a project, for what the router does not make: links that people copy, and redirects of old
 * URLs. `path` is the part after the project id, without parameters.
 */
export function projectPath(projectId: string, path: string): string {
  if (/[?#]/.test(path)) throw new Error(`BUG: ${path} is more than a path`)
  const base = `/project/${encodeURIComponent(projectId)}`
  return path === '' ? base : `${base}/${path}`
}

/** The segments of a path, decoded. Ids may contain anything, including encoded slashes. */
export function partsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decode)
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
