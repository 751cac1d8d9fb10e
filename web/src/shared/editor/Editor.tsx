import { lazy, Suspense, useId, useMemo, useRef, type CSSProperties, type ReactNode } from 'react'
import { cx } from '@/shared/lib/cx'
import type { Problem } from './model/problem'
import type { EditorMode } from './model/problemsOf'
import type { ReferenceSource } from './model/references'

const CodeMirror = lazy(() =>
  import('./CodeMirror').then((module) => ({ default: module.CodeMirror })),
)

export type EditorProps = {
  label: string
  /** The label is only for screen readers; for editors that a heading or a tab names already. */
  hideLabel?: boolean
  description?: ReactNode
  /** The error of the whole field, from the server or the form. */
  error?: string
  value: string
  onChange?: (value: string) => void
  mode: EditorMode
  /** Of templates: completes references to other prompts after @@. It has to stay the same while nothing changes. */
  references?: ReferenceSource
  /** Problems at places of the text that others have found, such as the server. */
  problems?: readonly Problem[]
  placeholder?: string
  isRequired?: boolean
  /** Without onChange, it is read-only anyway. */
  isReadOnly?: boolean
  autoFocus?: boolean
  minRows?: number
  maxRows?: number
  className?: string
}

const lineHeight = 18
const noProblems: readonly Problem[] = []

/**
 * A field for long texts: templates with {{variables}}, and JSON. It is labelled and described like any field. Tab leaves
 * it. In JSON, Tab indents once something was typed, until Esc.
 */
export function Editor(props: EditorProps) {
  const { label, description, error, value, minRows = 4, maxRows = 24 } = props
  // Callers write the mode in place: an equal one is the same, so that the editor is not set up again at each key.
  const modeKey = JSON.stringify(props.mode)
  const mode = useMemo((): EditorMode => JSON.parse(modeKey), [modeKey])
  const isReadOnly = props.isReadOnly === true || props.onChange === undefined
  const id = useId()
  const focus = useRef<() => void>(undefined)
  const hint = isReadOnly
    ? undefined
    : props.references
      ? 'Type {{ for a variable, @@ for another prompt.'
      : hints[mode.kind]
  const hasDescription = description !== undefined
  const hasError = error !== undefined
  const attributes = useMemo(
    () => ({
      'aria-labelledby': `${id}-label`,
      'aria-describedby': [
        hasError && `${id}-error`,
        hasDescription && `${id}-description`,
        hint !== undefined && `${id}-hint`,
      ]
        .filter(Boolean)
        .join(' '),
      'aria-invalid': String(hasError),
      'aria-required': String(props.isRequired === true),
      'aria-readonly': String(isReadOnly),
    }),
    [id, hasError, hasDescription, hint, props.isRequired, isReadOnly],
  )
  const height = (rows: number, padding = 0) => `${rows * lineHeight + padding}px`
  return (
    <div className={cx('flex min-w-0 flex-col gap-1', props.className)}>
      {/* A label element cannot name an editor, which is no input: it refers to this text, and a click moves there. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <span
        id={`${id}-label`}
        onClick={() => focus.current?.()}
        className={cx('text-sm font-medium text-text-2', props.hideLabel && 'sr-only')}
      >
        {label}
      </span>
      <div
        className={cx(
          'min-w-0 overflow-clip rounded-md border focus-within:outline-2 focus-within:outline-accent',
          isReadOnly ? 'bg-surface-1' : 'bg-surface-0',
          hasError ? 'border-danger' : 'border-control hover:border-text-3',
        )}
        style={
          {
            '--editor-min': height(minRows),
            '--editor-max': height(maxRows, 12),
          } as CSSProperties
        }
      >
        <Suspense fallback={<Unloaded text={value} />}>
          <CodeMirror
            value={value}
            onChange={props.onChange ?? ignore}
            mode={mode}
            references={props.references}
            isReadOnly={isReadOnly}
            problems={props.problems ?? noProblems}
            placeholder={props.placeholder ?? ''}
            autoFocus={props.autoFocus === true}
            attributes={attributes}
            onView={(next) => {
              focus.current = next
            }}
          />
        </Suspense>
      </div>
      {hasDescription && (
        <span id={`${id}-description`} className="text-sm text-text-3">
          {description}
        </span>
      )}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="text-sm text-text-3">
          {hint}
        </span>
      )}
      {hasError && (
        <span id={`${id}-error`} className="text-sm break-words whitespace-pre-line text-danger">
          {error}
        </span>
      )}
    </div>
  )
}

const hints: Record<EditorMode['kind'], string | undefined> = {
  text: undefined,
  template: 'Type {{ for a variable.',
  json: 'While you type, Tab indents. Press Esc, then Tab, to leave.',
}

function ignore() {}

/** The text in its place until the editor has loaded. */
function Unloaded({ text }: { text: string }) {
  return (
    <pre
      aria-busy
      className="max-h-(--editor-max) min-h-[calc(var(--editor-min)+12px)] overflow-hidden px-2.5 py-1.5 font-mono text-sm whitespace-pre-wrap text-text-3"
    >
      {text.slice(0, 10_000)}
    </pre>
  )
}
