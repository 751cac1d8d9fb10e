import type { ReactNode } from 'react'
import { Button, Callout } from '@/shared/ui'

type KeptCalloutProps = { title: string; action: string; onPress: () => void; children: ReactNode }

/** Says that a draft was kept, with what can be done about it. */
export function KeptCallout({ title, action, onPress, children }: KeptCalloutProps) {
  return (
    <Callout
      title={title}
      action={
        <Button size="sm" onPress={onPress}>
          {action}
        </Button>
      }
    >
      {children}
    </Callout>
  )
}
