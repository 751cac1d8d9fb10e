import { useId, type ReactNode } from 'react'

type SectionProps = {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A section of a settings page: title, description, actions, and the content below. */
export function Section({ title, description, actions, children }: SectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-3 border-t border-border py-5 first:border-t-0 first:pt-0"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h2 id={id} className="text-lg font-medium">
            {title}
          </h2>
          {description !== undefined && (
            <div className="max-w-prose text-text-3">{description}</div>
          )}
        </div>
        {actions}
      </div>
      {children}
    </section>
  )
}
