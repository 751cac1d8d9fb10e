import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { DocPage, loadDoc, NoSuchDoc } from '@/features/docs'

export const Route = createFileRoute('/docs/$page')({
  loader: async ({ params: { page } }) => {
    const doc = await loadDoc(page)
    if (doc) return doc
    // Links between the files name them in full.
    const name = /^(.+)\.md$/.exec(page)?.[1]
    if (name === undefined) throw notFound()
    throw redirect({ to: '/docs/$page', params: { page: name }, hash: true })
  },
  component: function OpenDoc() {
    return <DocPage doc={Route.useLoaderData()} />
  },
  notFoundComponent: NoSuchDoc,
})
