/**
 * The path of a page of a project; `path` is the part after the project id. The router takes parameters separately: in a
 * path they would end up in the last segment, or the router would append others to them.
 */
export function projectPath(projectId: string, path: string): string {
  if (/[?#]/.test(path)) throw new Error(`BUG: ${path} is more than a path`)
  const base = `/project/${encodeURIComponent(projectId)}`
  return path === '' ? base : `${base}/${path}`
}

export function organizationPath(organizationId: string, path = ''): string {
  const base = `/organization/${encodeURIComponent(organizationId)}`
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
