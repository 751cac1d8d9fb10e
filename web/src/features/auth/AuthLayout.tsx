import type { ReactNode } from 'react'

/** The frame of the pages before sign-in: a single centered column. */
export function AuthLayout({
  title,
  description,
  children,
}: {
  title: string
  description?: ReactNode
  children: ReactNode
}) {
  return (
    <main className="flex min-h-full items-start justify-center px-4 py-[12vh]">
      <title>{`${title} · Almanac`}</title>
      <div className="w-full max-w-sm">
        <p className="flex items-center gap-2 pb-6 text-lg font-semibold">
          <svg aria-hidden viewBox="0 0 32 32" className="size-6 fill-accent">
            <path d="M7 26V6h3v20zM13 10h13v3H13zM13 16h8v3h-8zM13 23h11v3H13z" />
          </svg>
          Almanac
        </p>
        <div className="flex flex-col gap-4 rounded-lg border border-border bg-surface-0 p-6">
          <div>
            <h1 className="text-xl font-semibold">{title}</h1>
            {description !== undefined && <div className="pt-1 text-text-2">{description}</div>}
          </div>
          {children}
        </div>
      </div>
    </main>
  )
}
