import type { ReactNode } from 'react'

type PageHeaderProps = {
  title: string
  badge?: ReactNode
  description?: ReactNode
  actions?: ReactNode
}

/** The title of a page, which is also the title of the tab, and what can be done here. */
export function PageHeader({ title, badge, description, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 pb-4">
      <title>{`${title} · Almanac`}</title>
      <div className="min-w-0">
        <h1 className="flex items-center gap-2 text-xl font-semibold">
          <span className="min-w-0 break-words">{title}</span>
          {badge}
        </h1>
        {description !== undefined && <div className="max-w-prose text-text-3">{description}</div>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  )
}
