import type { ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'

/** The padding of a page's content. `fill` is for pages whose table takes all the height. */
export function Page({ children, fill }: { children: ReactNode; fill?: boolean }) {
  return (
    <div className={cx('flex min-w-0 flex-col px-4 pt-4 pb-6 md:px-6', fill && 'min-h-0 flex-1')}>
      {children}
    </div>
  )
}
