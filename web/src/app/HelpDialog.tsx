import { Link, useLocation } from '@tanstack/react-router'
import { basePath } from '@/shared/lib/url'
import { Button, Dialog, linkClass } from '@/shared/ui'
import { helpAt } from './help'

type HelpDialogProps = { onKeys: () => void; onClose: () => void }

/** What the open page is, and where to read more. The documentation opens beside it: something may be half typed here. */
export function HelpDialog({ onKeys, onClose }: HelpDialogProps) {
  const help = helpAt(useLocation().pathname)
  return (
    <Dialog title="What is this page?" isOpen onClose={onClose}>
      <div className="flex flex-col items-start gap-3">
        {help && (
          <p>
            {help.about}{' '}
            <Link
              to="/docs/$page"
              params={{ page: help.page }}
              hash={help.anchor}
              target="_blank"
              className={linkClass}
            >
              Read more
            </Link>
          </p>
        )}
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <Link to="/docs" target="_blank" className={linkClass}>
            Documentation
          </Link>
          <a href={`${basePath}/api/docs`} target="_blank" rel="noopener" className={linkClass}>
            API reference
          </a>
        </p>
        <Button size="sm" onPress={onKeys}>
          Keyboard shortcuts
        </Button>
      </div>
    </Dialog>
  )
}
