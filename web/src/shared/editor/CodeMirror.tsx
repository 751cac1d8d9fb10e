import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, placeholder } from '@codemirror/view'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { base, language, problemMarks, showProblems } from './extensions'
import { lineSeparatorOf } from './model/lineSeparator'
import type { Problem } from './model/problem'
import { problemsOf, type EditorMode } from './model/problemsOf'
import type { ReferenceSource } from './model/references'
import { ProblemList } from './ProblemList'

export type CodeMirrorProps = {
  value: string
  onChange: (value: string) => void
  mode: EditorMode
  references: ReferenceSource | undefined
  isReadOnly: boolean
  /** Problems that others have found, such as the server. */
  problems: readonly Problem[]
  placeholder: string
  autoFocus: boolean
  /** The accessible name and description, as attributes of what has the focus. */
  attributes: Record<string, string>
  onView: (focus: () => void) => void
}

/** The editor itself, in a chunk of its own: CodeMirror, and what checks the text. */
export function CodeMirror(props: CodeMirrorProps) {
  const { value, mode, references, isReadOnly, attributes } = props
  const host = useRef<HTMLDivElement>(null)
  const [view, setView] = useState<EditorView>()
  const [parts] = useState(() => ({
    language: new Compartment(),
    attributes: new Compartment(),
    separator: new Compartment(),
  }))
  const found = useMemo(
    () => [...problemsOf(value, mode), ...props.problems],
    [value, mode, props.problems],
  )
  const separator = lineSeparatorOf(value)
  const onChange = useEffectEvent((text: string) => props.onChange(text))
  const onView = useEffectEvent((created: EditorView) => {
    props.onView(() => created.focus())
    if (props.autoFocus) created.focus()
  })
  const extensions = useEffectEvent((): Extension => [
    base,
    problemMarks,
    placeholder(props.placeholder),
    parts.separator.of(EditorState.lineSeparator.of(separator)),
    parts.language.of([language(mode, references), readOnly(isReadOnly)]),
    parts.attributes.of(EditorView.contentAttributes.of(attributes)),
    EditorView.cspNonce.of(nonce()),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(state.sliceDoc())
    }),
  ])
  const initial = useEffectEvent(() => value)

  // CodeMirror owns its part of the document.
  useEffect(() => {
    if (!host.current) return
    const created = new EditorView({
      state: EditorState.create({ doc: initial(), extensions: extensions() }),
      parent: host.current,
    })
    setView(created)
    onView(created)
    return () => created.destroy()
  }, [])

  useEffect(() => {
    if (!view || view.state.sliceDoc() === value) return
    view.dispatch({
      effects: parts.separator.reconfigure(EditorState.lineSeparator.of(separator)),
    })
    if (view.state.sliceDoc() === value) return
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: view.state.toText(value) },
    })
  }, [view, value, separator, parts])

  useEffect(() => {
    view?.dispatch({
      effects: parts.language.reconfigure([language(mode, references), readOnly(isReadOnly)]),
    })
  }, [view, mode, references, isReadOnly, parts])

  useEffect(() => {
    view?.dispatch({
      effects: parts.attributes.reconfigure(EditorView.contentAttributes.of(attributes)),
    })
  }, [view, attributes, parts])

  useEffect(() => {
    if (view) showProblems(view, found)
  }, [view, found])

  return (
    <>
      <div ref={host} />
      <ProblemList
        text={value}
        problems={found}
        onGo={({ from, to }) => {
          view?.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true })
          view?.focus()
        }}
      />
    </>
  )
}

function readOnly(isReadOnly: boolean): Extension {
  // It keeps the focus and the caret, so that its text can be read and copied with the keyboard.
  return isReadOnly ? EditorState.readOnly.of(true) : []
}

/** The nonce with which the content security policy lets the page add styles. */
function nonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}
