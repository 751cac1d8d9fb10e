import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './Button'
import { copyText, type Copied } from './copyText'
import { IconButton } from './IconButton'
import { Spinner } from './Spinner'

type CopyButtonProps = {
  /** The text, or a function that loads it. */
  text: Copied
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
  const [isPending, setPending] = useState(false)
  const copy = async () => {
    setPending(typeof text !== 'string')
    const isCopied = await copyText(text)
    setPending(false)
    if (!isCopied) return
    setDone(true)
    setTimeout(() => setDone(false), 1500)
  }
  const icon = isDone ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />
  const name = isDone ? 'Copied' : label
  const button = withWords ? (
    <Button size={size} icon={icon} onPress={copy} isPending={isPending} className={className}>
      {name}
    </Button>
  ) : (
    <IconButton
      label={name}
      size={size}
      icon={isPending ? <Spinner /> : icon}
      onPress={copy}
      isPending={isPending}
      className={className}
    />
  )
  return (
    <>
      {button}
      {isPending && (
        <span role="status" className="text-sm text-text-3">
          Loading all of it
        </span>
      )}
    </>
  )
}
