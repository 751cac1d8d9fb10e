/** What became of prompts that were to be deleted. */
export type Deletion = { deleted: string[]; failed: { name: string; error: unknown }[] }

/**
 * Deletes prompts one after the other. One that others refer to can be deleted once these are gone, so those that could
 * not be are tried again as long as others could.
 */
export async function deleteAll(
  names: readonly string[],
  remove: (name: string) => Promise<unknown>,
  onProgress: (deleted: number) => void = () => {},
): Promise<Deletion> {
  const deleted: string[] = []
  let waiting = [...names]
  for (;;) {
    const failed: Deletion['failed'] = []
    for (const name of waiting) {
      try {
        await remove(name)
        deleted.push(name)
        onProgress(deleted.length)
      } catch (error) {
        failed.push({ name, error })
      }
    }
    if (failed.length === 0 || failed.length === waiting.length) return { deleted, failed }
    waiting = failed.map(({ name }) => name)
  }
}
