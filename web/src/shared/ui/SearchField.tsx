import { Search } from 'lucide-react'
import { useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { inputClass } from './fieldClass'
import { cx } from '@/shared/lib/cx'

type SearchFieldProps = {
  label: string
  placeholder: string
  value: string
  onChange: (text: string) => void
}

const longest = 200
const pause = 200

/** A search field that applies its text when typing pauses. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState(value)
  const [from, setFrom] = useState(value)
  if (from !== value) {
    // The URL has changed, by the back button or a link.
    setFrom(value)
    setTyped(value)
  }
  const wanted = useDeferredValue(typed.trim())
  const send = useEffectEvent((text: string) => {
    if (text === value) return
    setFrom(text)
    onChange(text)
  })
  // Timers are outside React.
  useEffect(() => {
    const timer = setTimeout(() => send(wanted), pause)
    return () => clearTimeout(timer)
  }, [wanted])
  return (
    <span className="relative w-full max-w-72 min-w-32">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-2 left-2 size-4 text-text-3"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder}
        maxLength={longest}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className={cx(inputClass, 'pl-8')}
      />
    </span>
  )
}
