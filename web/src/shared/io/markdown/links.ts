import { createContext, type ReactNode } from 'react'

/** How links and pictures are shown in texts of our own, which may refer to each other. */
export type MarkdownParts = {
  Target: (props: { href: string; children: ReactNode }) => ReactNode
  Picture: (props: { href: string; text: string }) => ReactNode
}

/** Without it, a text is somebody else's: only links to the web are followed, and pictures are media. */
export const MarkdownLinks = createContext<MarkdownParts | undefined>(undefined)
