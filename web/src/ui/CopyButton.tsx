import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './Button'
import { copyText } from './copyText'
import { IconButton } from './IconButton'

type CopyButtonProps = {
  text: string
  label?: string
  size?: 'sm' | 'md'
  withWords?: boolean
  className?: string
}

/** Copies exactly the given text. */
export function CopyButton({
  text,
  label = 'Copy',
  size = 'sm',
  withWords,
  className,
}: CopyButtonProps) {
  const [isDone, setDone] = useState(false)
  const copy = async () => {
    if (!(await copyText(text))) return
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  const icon = isDone ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />
  const name = isDone ? 'Copied' : label
  return withWords ? (
    <Button size={size} icon={icon} onPress={copy} className={className}>
      {name}
    </Button>
  ) : (
    <IconButton label={name} size={size} icon={icon} onPress={copy} className={className} />
  )
}
