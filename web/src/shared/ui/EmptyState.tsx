import type { ReactNode } from 'react'

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }

/** Shown where there is nothing yet, with a hint how to change that. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-2 px-4 py-10 text-center">
      {icon !== undefined && <span className="text-text-3 [&_svg]:size-6">{icon}</span>}
      <p className="text-lg font-medium">{title}</p>
      {children !== undefined && <div className="text-text-2">{children}</div>}
      {action !== undefined && <div className="pt-2">{action}</div>}
    </div>
  )
}
