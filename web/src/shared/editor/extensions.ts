import {
  acceptCompletion,
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
  type CompletionContext,
  startCompletion,
  type CompletionResult,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { StateEffect, StateField, type Extension } from '@codemirror/state'
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  MatchDecorator,
  ViewPlugin,
  WidgetType,
  type DecorationSet,
  type KeyBinding,
  type ViewUpdate,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import type { Problem } from './model/problem'
import type { EditorMode } from './model/problemsOf'
import {
  referencePattern,
  referenceStart,
  typedReference,
  type ReferenceSource,
} from './model/references'
import { variableNames, variablePattern } from './model/variables'

/** What every editor has: undo, selection, our colours, which follow the theme by themselves. */
export const base: Extension = [
  history(),
  drawSelection(),
  highlightSpecialChars(),
  bracketMatching(),
  EditorView.lineWrapping,
  // Tab is not among these keys: in a form it goes on to the next field. Esc closes the completions, and nothing around
  // the editor with them.
  keymap.of([
    { key: 'Escape', run: closeCompletion, stopPropagation: true },
    ...closeBracketsKeymap,
    ...defaultKeymap,
    ...historyKeymap,
    ...completionKeymap,
  ]),
  EditorView.theme({
    '&': { color: 'var(--color-text-1)', fontSize: '0.75rem' },
    '&.cm-focused': { outline: 'none' },
    '.cm-scroller': {
      fontFamily: 'var(--font-mono)',
      lineHeight: '1.125rem',
      overflow: 'auto',
      maxHeight: 'var(--editor-max)',
      // Not around the content: the gutter learns of that padding when it is measured, which can be too late to be seen.
      padding: '6px 0',
    },
    '.cm-content': {
      minHeight: 'var(--editor-min)',
      padding: '0',
      caretColor: 'var(--color-text-1)',
    },
    '.cm-line': { padding: '0 10px' },
    '.cm-cursor': { borderLeftColor: 'var(--color-text-1)' },
    '.cm-gutters': {
      backgroundColor: 'transparent',
      color: 'var(--color-text-3)',
      borderRight: 'none',
    },
    '.cm-lineNumbers .cm-gutterElement': { padding: '0 6px 0 8px', minWidth: '28px' },
    '.cm-placeholder': { color: 'var(--color-text-3)' },
    '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
      { backgroundColor: 'color-mix(in oklab, var(--color-accent) 28%, transparent)' },
    '&.cm-focused .cm-matchingBracket': {
      backgroundColor: 'var(--color-surface-3)',
      outline: '1px solid var(--color-control)',
    },
    '&.cm-focused .cm-nonmatchingBracket': {
      backgroundColor: 'var(--color-danger-soft)',
    },
    '.cm-specialChar': { color: 'var(--color-danger)' },
    '.cm-variable': {
      backgroundColor: 'var(--color-accent-soft)',
      color: 'var(--color-accent)',
      borderRadius: '3px',
      boxShadow: '0 0 0 1px color-mix(in oklab, var(--color-accent) 30%, transparent)',
    },
    '.cm-reference': {
      backgroundColor: 'var(--color-success-soft)',
      color: 'var(--color-success)',
      borderRadius: '3px',
      boxShadow: '0 0 0 1px color-mix(in oklab, var(--color-success) 30%, transparent)',
    },
    '.cm-problem': {
      textDecoration: 'underline wavy var(--color-danger)',
      textUnderlineOffset: '3px',
      textDecorationSkipInk: 'none',
    },
    '.cm-message': {
      marginLeft: '16px',
      color: 'var(--color-danger)',
      fontFamily: 'var(--font-sans)',
      userSelect: 'none',
    },
    '.cm-tooltip': {
      border: 'none',
      borderRadius: '6px',
      backgroundColor: 'var(--color-surface-0)',
      boxShadow: 'var(--shadow-pop)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': {
      fontFamily: 'var(--font-mono)',
      padding: '4px',
      maxHeight: '12rem',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
      padding: '4px 8px',
      borderRadius: '4px',
      color: 'var(--color-text-1)',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--color-surface-2)',
      color: 'var(--color-text-1)',
    },
    '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--color-accent)' },
    '.cm-completionDetail': {
      color: 'var(--color-text-3)',
      fontFamily: 'var(--font-sans)',
      fontStyle: 'normal',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.propertyName, color: 'var(--color-accent)' },
      { tag: tags.string, color: 'var(--color-text-1)' },
      { tag: tags.number, color: 'var(--color-type-generation)' },
      { tag: [tags.bool, tags.null], color: 'var(--color-type-tool)' },
      { tag: [tags.separator, tags.squareBracket, tags.brace], color: 'var(--color-text-3)' },
    ]),
  ),
]

/** What belongs to the language of the text. */
export function language(mode: EditorMode, references?: ReferenceSource): Extension {
  switch (mode.kind) {
    case 'json':
      return [json(), lineNumbers(), indentUnit.of('  '), indentOnInput(), closeBrackets(), tabKeys]
    case 'template':
      return [
        highlight(variablePattern, 'cm-variable'),
        references ? highlight(referencePattern, 'cm-reference') : [],
        autocompletion({
          override: [
            completeVariables(mode),
            ...(references ? [completeReferences(references)] : []),
          ],
          icons: false,
          // It opens only after {{ and @@, so that Enter is meant for it.
          interactionDelay: 0,
        }),
      ]
    case 'text':
      return []
  }
}

/** Marks what matches a pattern, where it is seen. */
function highlight(pattern: RegExp, name: string): Extension {
  return ViewPlugin.fromClass(
    class {
      private readonly matcher = new MatchDecorator({
        regexp: new RegExp(pattern),
        decoration: Decoration.mark({ class: name }),
      })
      decorations: DecorationSet

      constructor(view: EditorView) {
        this.decorations = this.matcher.createDeco(view)
      }

      update(update: ViewUpdate) {
        this.decorations = this.matcher.updateDeco(update, this.decorations)
      }
    },
    { decorations: (plugin) => plugin.decorations },
  )
}

/** After {{, the variables that there are and those that the text has already. */
function completeVariables(mode: Extract<EditorMode, { kind: 'template' }>) {
  return (context: CompletionContext): CompletionResult | null => {
    const opened = context.matchBefore(/\{\{\s*\w*/)
    if (!opened) return null
    const typed = /\w*$/.exec(opened.text)?.[0] ?? ''
    const given = mode.variables ?? []
    // The variable at the caret would complete itself.
    const around =
      context.state.doc.sliceString(0, opened.from) + context.state.doc.sliceString(context.pos)
    const used = mode.isClosed ? [] : variableNames(around).filter((name) => !given.includes(name))
    const options = [
      ...given.map((name) => ({ name, detail: undefined })),
      ...used.map((name) => ({ name, detail: 'in this text' })),
    ]
    return {
      from: context.pos - typed.length,
      validFor: /^\w*$/,
      options: options.map(({ name, detail }) => ({
        label: name,
        detail,
        apply: (view, _completion, from, to) => {
          const after = /^\s*\}\}/.exec(view.state.sliceDoc(to, to + 20))
          const end = to + (after?.[0].length ?? 0)
          const insert = `${name}}}`
          view.dispatch({
            changes: { from, to: end, insert },
            selection: { anchor: from + insert.length },
            userEvent: 'input.complete',
          })
        },
      })),
    }
  }
}

/** After @@, the names of other prompts; then the labels of the one, and its versions. */
function completeReferences(source: ReferenceSource) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const line = context.state.doc.lineAt(context.pos)
    const typed = typedReference(line.text.slice(0, context.pos - line.from))
    if (!typed) return null
    const from = line.from + typed.from
    const apply =
      (insert: string, goesOn: boolean) =>
      (view: EditorView, _completion: unknown, _from: number, to: number) => {
        const rest = /^[^@\n]*@@@/.exec(view.state.sliceDoc(to, to + 200))
        view.dispatch({
          changes: { from, to: goesOn ? to : to + (rest?.[0].length ?? 0), insert },
          selection: { anchor: from + insert.length },
          userEvent: 'input.complete',
        })
        if (goesOn) startCompletion(view)
      }
    try {
      if (typed.part === 'name') {
        const names = await source.names(typed.text)
        return {
          from: context.pos - typed.text.length,
          filter: false,
          options: names.map((name) => ({
            label: name,
            apply: apply(`${referenceStart}name=${name}|`, true),
          })),
        }
      }
      const { labels, newest } = await source.labels(typed.name)
      const whole = (which: string) =>
        apply(`${referenceStart}name=${typed.name}|${which}@@@`, false)
      return {
        from: context.pos - typed.text.length,
        options: [
          ...Object.entries(labels).map(([label, version]) => ({
            label: `label=${label}`,
            detail: `now version ${version}`,
            apply: whole(`label=${label}`),
          })),
          { label: `version=${newest}`, detail: 'always', apply: whole(`version=${newest}`) },
        ],
      }
    } catch {
      return null // without the server there are no suggestions
    }
  }
}

/** Whether text was typed since the editor got the focus, so that Tab indents instead of leaving. */
const isEditing = StateField.define<boolean>({
  create: () => false,
  update: (before, transaction) => {
    for (const effect of transaction.effects) if (effect.is(setEditing)) return effect.value
    return before || transaction.isUserEvent('input') || transaction.isUserEvent('delete')
  },
})

const setEditing = StateEffect.define<boolean>()

const whileEditing = (command: (view: EditorView) => boolean) => (view: EditorView) =>
  view.state.field(isEditing) && command(view)

const tabs: KeyBinding[] = [
  { key: 'Tab', run: whileEditing(indentMore), shift: whileEditing(indentLess) },
  {
    key: 'Escape',
    stopPropagation: true,
    run: (view) => {
      if (!view.state.field(isEditing)) return false
      view.dispatch({ effects: setEditing.of(false) })
      return true
    },
  },
]

const tabKeys: Extension = [
  isEditing,
  keymap.of([{ key: 'Tab', run: acceptCompletion }, ...tabs]),
  EditorView.domEventHandlers({
    blur: (_event, view) => {
      view.dispatch({ effects: setEditing.of(false) })
    },
  }),
]

const setProblems = StateEffect.define<readonly Problem[]>()

/** Marks problems, and says each at the end of its line. The field lists them as well, for screen readers. */
export const problemMarks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (before, transaction) => {
    for (const effect of transaction.effects)
      if (effect.is(setProblems)) return markProblems(effect.value, transaction.state.doc)
    return before.map(transaction.changes)
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** Shows these problems instead of the ones before. */
export function showProblems(view: EditorView, problems: readonly Problem[]): void {
  view.dispatch({ effects: setProblems.of(problems) })
}

function markProblems(
  problems: readonly Problem[],
  doc: { length: number; lineAt: (at: number) => { to: number } },
): DecorationSet {
  const lines = new Map<number, string[]>()
  const ranges = problems
    .filter(({ from, to }) => from < to && to <= doc.length)
    .map(({ from, to, message }) => {
      const end = doc.lineAt(from).to
      lines.set(end, [...(lines.get(end) ?? []), message])
      return Decoration.mark({ class: 'cm-problem' }).range(from, to)
    })
  const messages = Array.from(lines, ([end, texts]) =>
    Decoration.widget({ widget: new Message(texts.join(' ')), side: 1 }).range(end),
  )
  return Decoration.set([...ranges, ...messages], true)
}

class Message extends WidgetType {
  constructor(readonly text: string) {
    super()
  }

  override eq(other: Message) {
    return other.text === this.text
  }

  toDOM() {
    const element = document.createElement('span')
    element.className = 'cm-message'
    element.ariaHidden = 'true'
    element.textContent = this.text
    return element
  }
}
