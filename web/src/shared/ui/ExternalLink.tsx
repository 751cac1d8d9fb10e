import type { ReactNode } from 'react'
import { linkClass } from './linkClass'

/** A link that leaves the application: in a new tab, without a referrer. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={linkClass}>
      {children}
    </a>
  )
}
