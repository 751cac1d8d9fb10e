import { basePath } from '@/shared/lib/url'
import { Dialog, KeyHint, linkClass } from '@/shared/ui'
import type { NavigationItem } from './navigation'
import { shortcutsFor } from './shortcuts'

type KeyboardHelpProps = { pages: readonly NavigationItem[]; onClose: () => void }

/** The list of keyboard shortcuts. */
export function KeyboardHelp({ pages, onClose }: KeyboardHelpProps) {
  return (
    <Dialog title="Keyboard shortcuts" isOpen onClose={onClose} size="lg">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {shortcutsFor(pages).map((group) => (
          <section key={group.title} className="flex flex-col gap-1">
            <h3 className="pb-1 text-sm font-medium text-text-3">{group.title}</h3>
            {group.keys.map((each) => (
              <div key={each.keys} className="flex items-center justify-between gap-4">
                <span>{each.does}</span>
                <KeyHint keys={each.keys} />
              </div>
            ))}
          </section>
        ))}
      </div>
      <p className="flex gap-4 pt-4 text-sm">
        <a href={`${basePath}/api/docs`} className={linkClass}>
          API reference
        </a>
        <a href={`${basePath}/assets/licenses.txt`} className={linkClass}>
          Third-party licences
        </a>
      </p>
    </Dialog>
  )
}
