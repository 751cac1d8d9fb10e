// Slashes in names make folders.

/** The folders that a folder is in, from the outermost on, itself included. */
export function pathTo(folder: string): { name: string; path: string }[] {
  const parts = folder.split('/').filter((part) => part !== '')
  return parts.map((name, at) => ({ name, path: parts.slice(0, at + 1).join('/') }))
}

/** The part of a name that the list of a folder shows: without the folder. */
export function nameWithin(name: string, folder: string | undefined): string {
  const prefix = `${folder ?? ''}/`
  return folder !== undefined && name.startsWith(prefix) ? name.slice(prefix.length) : name
}
