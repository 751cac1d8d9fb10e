import { useEffect, useState } from 'react'

const rest = 300

/** A text as soon as it has not changed for a while: the server is asked about it. */
export function useRestedText(text: string): string {
  const [rested, setRested] = useState(text)
  // Timers are outside React.
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), rest)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
