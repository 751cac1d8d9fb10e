import { useState } from 'react'
import { ApiError, messageOf } from '@/shared/api'

/** What is wrong with the values of a form, by field. */
export type Problems<V> = Partial<Record<keyof V, string>>

type FormOptions<V> = {
  initial: V
  check?: (values: V) => Problems<V>
  /** The server's error for the last attempt. */
  error?: unknown
}

type Changed<V> = { since: unknown; names: ReadonlySet<keyof V> }

/**
 * The state of a form. Problems are shown from the first attempt on. What the server says about a field is shown at
 * that field until the field is changed; everything else it says is shown above the buttons. Values are kept, whatever
 * the response.
 */
export function useForm<V extends object>({ initial, check, error }: FormOptions<V>) {
  const [values, setValues] = useState(initial)
  const [wasTried, setTried] = useState(false)
  // Fields changed since the last server error: what it said about them is out of date.
  const [changed, setChanged] = useState<Changed<V>>({ since: undefined, names: new Set() })
  const problems: Problems<V> = check?.(values) ?? {}
  const isValid = Object.values(problems).every((problem) => problem === undefined)
  const said = issuesOf(error)

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
  const errorAt = <K extends keyof V>(name: K): string | undefined => {
    if (wasTried && problems[name] !== undefined) return problems[name]
    const isOutdated = changed.since === error && changed.names.has(name)
    return isOutdated ? undefined : said[String(name)]
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
    errorAt,
    /** The server error, if it concerns no field of the form. */
    error:
      error === null ||
      error === undefined ||
      Object.keys(said).some((name) => Object.hasOwn(values, name))
        ? undefined
        : messageOf(error),
    /** Sends the values if they are valid. */
    submit: (send: (values: V) => void) => {
      setTried(true)
      if (isValid) send(values)
    },
    /** Starts over, for a form that stays open after it was sent. */
    reset: (next: V) => {
      setValues(next)
      setTried(false)
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
