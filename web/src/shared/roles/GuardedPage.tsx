import type { ComponentProps, ReactNode } from 'react'
import { useAccess } from '@/shared/currentUser'
import { Page, PageHeader } from '@/shared/ui'
import { Forbidden } from './Forbidden'

type GuardedPageProps = ComponentProps<typeof PageHeader> & {
  permission: string
  /** What the page is for, as in "see the API keys". */
  doing: string
  /** How the page fits into the window: settings are framed by their layout already. */
  frame: 'settings' | 'page' | 'fill'
  children: ReactNode
}

/** A page for those who hold a permission: title, actions and content. Others are told which role they need. */
export function GuardedPage({ permission, doing, frame, children, ...header }: GuardedPageProps) {
  const isAllowed = useAccess().can(permission)
  const content = (
    <>
      <PageHeader {...header} actions={isAllowed ? header.actions : undefined} />
      {isAllowed ? children : <Forbidden doing={doing} permission={permission} />}
    </>
  )
  return frame === 'settings' ? content : <Page fill={frame === 'fill'}>{content}</Page>
}
