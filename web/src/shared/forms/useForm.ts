import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ApiError, messageOf } from '@/shared/api'
import { dropDraft, findDraft, openDraft } from '@/shared/lib/drafts'
import { toast } from '@/shared/ui'
import { moved, type ListField } from './listField'

/** What is wrong with the values of a form, by field; of a list also by entry, as in tiers.0.name. */
export type Problems<V> = Partial<
  Record<keyof V | `${keyof V & string}.${number}.${string}`, string>
>

type FormOptions<V> = {
  initial: V
  check?: (values: V) => Problems<V>
  /** The server's error for the last attempt. */
  error?: unknown
  /**
   * The name of the form on its page. What is typed into a form with a name is there again if the session ends and the
   * same user signs in again. Secrets have to be left out: they are typed again.
   */
  draft?: { name: string; secrets?: readonly (keyof V)[] }
}

type Changed<V> = { since: unknown; names: ReadonlySet<keyof V> }

/** The names of the fields that hold lists. */
type ListName<V> = { [K in keyof V]: V[K] extends readonly unknown[] ? K : never }[keyof V] & string
type Entry<V, K extends keyof V> = V[K] extends readonly (infer E)[] ? E : never

/**
 * The state of a form. Problems are shown from the first attempt on. What the server says about a field is shown at
 * that field until the field is changed; everything else it says is shown above the buttons. Values are kept, whatever
 * the response.
 */
export function useForm<V extends object>({ initial, check, error, draft }: FormOptions<V>) {
  const [kept] = useState(() => draft && (findDraft(draft.name) as Partial<V> | undefined))
  const [values, setValues] = useState(() => ({ ...initial, ...kept }))
  /** The values that the server has. */
  const [saved, setSaved] = useState(initial)
  const [sent, setSent] = useState<V>()
  const [wasTried, setTried] = useState(false)
  // Fields changed since the last server error: what it said about them is out of date.
  const [changed, setChanged] = useState<Changed<V>>({ since: undefined, names: new Set() })
  // Entries of lists have no identity: they get one when they are added.
  const [keys, setKeys] = useState<{ next: number; of: Partial<Record<keyof V, number[]>> }>({
    next: 0,
    of: {},
  })
  const problems: Problems<V> = check?.(values) ?? {}
  const isValid = Object.values(problems).every((problem) => problem === undefined)
  const said = issuesOf(error)
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved)
  const hasError = error !== undefined && error !== null

  // Whether there is something that was neither saved nor is being sent.
  const isUnsaved = isDirty && (values !== sent || hasError)
  const unsaved = useRef(isUnsaved)
  useEffect(() => {
    unsaved.current = isUnsaved
  }, [isUnsaved])

  const draftName = draft?.name
  const typed = useEffectEvent(() => {
    if (!isDirty) return undefined
    const secrets = new Set<string>(draft?.secrets?.map(String))
    return Object.fromEntries(Object.entries(values).filter(([name]) => !secrets.has(name)))
  })
  const announce = useEffectEvent(() => {
    if (kept) toast('What you had typed is here again', { tone: 'neutral' })
  })
  // The end of the session comes from outside React.
  useEffect(() => {
    if (draftName === undefined) return
    announce()
    dropDraft(draftName)
    return openDraft(draftName, () => typed())
  }, [draftName])

  const change = (next: Partial<V>) => {
    setValues((before) => ({ ...before, ...next }))
    setChanged((before) => ({
      since: error,
      names: new Set([
        ...(before.since === error ? before.names : []),
        ...(Object.keys(next) as (keyof V)[]),
      ]),
    }))
  }
  const isOutdated = (name: keyof V) => changed.since === error && changed.names.has(name)
  const errorAt = <K extends keyof V>(name: K): string | undefined => {
    if (wasTried && problems[name] !== undefined) return problems[name]
    return isOutdated(name) ? undefined : said[String(name)]
  }
  const list = <K extends ListName<V>>(name: K): ListField<Entry<V, K>> => {
    const items = values[name] as readonly Entry<V, K>[]
    const ids = keys.of[name] ?? items.map((_, at) => -1 - at)
    const set = (next: readonly Entry<V, K>[], nextIds: number[], added = 0) => {
      change({ [name]: next } as unknown as Partial<V>)
      setKeys((before) => ({
        next: before.next + added,
        of: { ...before.of, [name]: nextIds },
      }))
    }
    return {
      items: items.map((value, at) => ({ key: ids[at] ?? -1 - at, value })),
      add: (value) => set([...items, value], [...ids, keys.next], 1),
      remove: (at) =>
        set(
          items.filter((_, index) => index !== at),
          ids.filter((_, index) => index !== at),
        ),
      change: (at, value) =>
        set(
          items.map((each, index) => (index === at ? value : each)),
          [...ids],
        ),
      move: (from, to) => set(moved(items, from, to), moved(ids, from, to)),
      errorAt: (at, field) => {
        const path: keyof Problems<V> = `${name}.${at}.${field}`
        if (wasTried && problems[path] !== undefined) return problems[path]
        return isOutdated(name) ? undefined : issueAt(error, [name, at, field])
      },
    }
  }
  return {
    values,
    change,
    /** The properties of a field. */
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      onChange: (value: V[K]) => change({ [name]: value } as unknown as Partial<V>),
      error: errorAt(name),
    }),
    /** The entries of a field that holds a list. */
    list,
    errorAt,
    /** The server error, if it concerns no field of the form. */
    error:
      !hasError || Object.keys(said).some((name) => Object.hasOwn(values, name))
        ? undefined
        : messageOf(error),
    isUnsaved,
    hasUnsaved: () => unsaved.current,
    /** Sends the values if they are valid. */
    submit: (send: (values: V) => void) => {
      setTried(true)
      if (!isValid) return
      setSent(values)
      unsaved.current = false
      send(values)
    },
    /** Uses the values if they are valid, without saving them. */
    tryOut: (send: (values: V) => void) => {
      setTried(true)
      if (isValid) send(values)
    },
    /** Takes values that the server has changed; the others stay as typed. */
    follow: (next: Partial<V>) => {
      setValues((before) => ({ ...before, ...next }))
      setSaved((before) => ({ ...before, ...next }))
    },
    /** Starts over with values that are saved, for a form that stays open after it was sent. */
    reset: (next: V) => {
      setValues(next)
      setSaved(next)
      setTried(false)
      setKeys((before) => ({ ...before, of: {} }))
    },
  }
}

/** The server's messages by field; several messages for one field are joined. */
function issuesOf(error: unknown): Record<string, string> {
  const found: Record<string, string> = {}
  for (const issue of error instanceof ApiError ? error.issues : []) {
    const [name, ...rest] = issue.path
    if (name === undefined || issue.message === '') continue
    const message = rest.length === 0 ? issue.message : `${rest.join('.')}: ${issue.message}`
    const before = Object.hasOwn(found, name) ? found[name] : undefined
    found[name] = before === undefined ? message : `${before}; ${message}`
  }
  return found
}

/** What the server says about exactly this place. */
function issueAt(error: unknown, path: readonly (string | number)[]): string | undefined {
  const issues = error instanceof ApiError ? error.issues : []
  return issues.find((issue) => issue.path.join('.') === path.join('.'))?.message
}
