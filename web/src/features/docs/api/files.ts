import { contents, entryOf } from '../model/contents'
import { readDoc, type Doc } from '../model/doc'

const folder = '../../../../../docs/'

// Each page is a file of its own, which is loaded when it is opened.
const texts = import.meta.glob<string>('../../../../../docs/*.md', {
  query: '?raw',
  import: 'default',
})

const pictures = import.meta.glob<string>('../../../../../docs/{pictures,benchmarks}/*.{png,svg}', {
  query: '?url',
  import: 'default',
  eager: true,
})

/** Loads a page; undefined if there is none with this name. */
export async function loadDoc(page: string): Promise<Doc | undefined> {
  if (!entryOf(page)) return undefined
  const load = texts[`${folder}${page}.md`]
  return load && readDoc(page, await load())
}

/** All pages, which are searched together. They do not change while the application is open. */
export const allDocsQuery = {
  queryKey: ['docs'],
  queryFn: async (): Promise<Doc[]> => {
    const pages = contents.flatMap((group) => group.pages)
    const docs = await Promise.all(pages.map(({ page }) => loadDoc(page)))
    return docs.filter((doc) => doc !== undefined)
  },
  staleTime: Infinity,
}

/** The address of a picture, by its path below docs/. */
export function pictureAddress(path: string): string | undefined {
  return pictures[`${folder}${path}`]
}
