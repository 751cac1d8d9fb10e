import { CircleAlert, CircleCheck, Download, Info, X } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import {
  Text,
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as AriaToastContent,
  UNSTABLE_ToastRegion as AriaToastRegion,
} from 'react-aria-components'
import { cx } from '@/shared/lib/cx'
import { Button } from './Button'
import { buttonClass } from './buttonClass'
import { IconButton } from './IconButton'
import { toastQueue, type Progress, type ToastContent } from './toast'

const icons: Record<ToastContent['tone'], React.ReactNode> = {
  success: <CircleCheck aria-hidden className="size-4 shrink-0 text-success" />,
  danger: <CircleAlert aria-hidden className="size-4 shrink-0 text-danger" />,
  neutral: <Info aria-hidden className="size-4 shrink-0 text-text-3" />,
}

/** Where toasts appear; once in the application. */
export function Toasts() {
  return (
    <AriaToastRegion
      queue={toastQueue}
      className="z-toast fixed right-4 bottom-4 left-4 flex flex-col gap-2 outline-none sm:left-auto sm:w-80"
    >
      {({ toast }) => (
        <AriaToast
          toast={toast}
          className="flex items-start gap-2 rounded-lg bg-surface-0 py-2 pr-2 pl-3 shadow-pop"
        >
          <span className="pt-0.5">{icons[toast.content.tone]}</span>
          <AriaToastContent className="min-w-0 flex-1 break-words">
            <Text slot="title" className="block font-medium">
              {toast.content.title}
            </Text>
            {toast.content.description !== undefined && (
              <Text slot="description" className="block text-sm text-text-2">
                {toast.content.description}
              </Text>
            )}
            {toast.content.progress && <ProgressBar progress={toast.content.progress} />}
            {toast.content.link && (
              <a
                href={toast.content.link.href}
                download={toast.content.link.fileName}
                className={cx(buttonClass('primary', 'sm'), 'mt-1.5 mr-1.5')}
              >
                <Download aria-hidden />
                {toast.content.link.label}
              </a>
            )}
            {toast.content.action && (
              <Button
                size="sm"
                className="mt-1.5"
                onPress={() => {
                  toastQueue.close(toast.key)
                  toast.content.action?.onAction()
                }}
              >
                {toast.content.action.label}
              </Button>
            )}
          </AriaToastContent>
          <IconButton slot="close" label="Close" size="sm" icon={<X aria-hidden />} />
        </AriaToast>
      )}
    </AriaToastRegion>
  )
}

function ProgressBar({ progress }: { progress: Progress }) {
  const { text, percent } = useSyncExternalStore(progress.subscribe, progress.get)
  return (
    <div className="flex flex-col gap-1 text-sm text-text-2">
      <span className="tabular">{text}</span>
      <div
        role="progressbar"
        aria-label="Progress"
        aria-valuenow={percent}
        aria-valuetext={text}
        className="h-1 overflow-hidden rounded-full bg-surface-3"
      >
        <div className="h-full bg-accent" style={{ width: `${percent ?? 0}%` }} />
      </div>
    </div>
  )
}
