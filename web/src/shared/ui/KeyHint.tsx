const isApple = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)

/** Keys as they are on the user's keyboard; "Mod" is ⌘ or Ctrl. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {keys.split(' ').map((key) => (
        <kbd
          key={key}
          className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-sm border border-border bg-surface-1 px-1 font-sans text-xs text-text-3"
        >
          {key === 'Mod' ? (isApple ? '⌘' : 'Ctrl') : key}
        </kbd>
      ))}
    </span>
  )
}
