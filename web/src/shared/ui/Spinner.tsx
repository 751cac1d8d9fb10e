import { LoaderCircle } from 'lucide-react'

/** Shows that something is in progress, beside text that tells what. */
export function Spinner() {
  return <LoaderCircle aria-hidden className="size-4 animate-spin" />
}
