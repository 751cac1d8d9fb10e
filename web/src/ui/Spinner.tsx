import { LoaderCircle } from 'lucide-react'

/** Says that something is under way, beside words that say what. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 animate-spin" />
}
