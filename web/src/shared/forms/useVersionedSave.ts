import { useState } from 'react'
import { ApiError } from '@/shared/api'

/** Values with the tag of their version, which the server sent as ETag. */
export type Versioned<V> = { values: V; etag: string }

type VersionedSaveOptions<V> = {
  /** The tag of the version that is being edited. */
  etag: string
  /** Sends the values with If-Match; the server answers 412 if there is a newer version. */
  save: (values: V, etag: string) => Promise<unknown>
  /** Reads the newest version. */
  load: () => Promise<Versioned<V>>
  onSaved: (values: V) => void
  /** Called with the newer version when the user takes it instead of their own. */
  onTaken: (theirs: Versioned<V>) => void
}

type State<V> = {
  isPending: boolean
  error: unknown
  /** Somebody else's version, and what the user wanted to save. */
  conflict: { mine: V; theirs: Versioned<V> } | undefined
}

/** Saves without overwriting what somebody else has saved in the meantime: the user decides between both. */
export function useVersionedSave<V>(options: VersionedSaveOptions<V>) {
  const { save, load, onSaved, onTaken } = options
  const [state, setState] = useState<State<V>>({
    isPending: false,
    error: undefined,
    conflict: undefined,
  })
  const send = async (mine: V, etag: string) => {
    setState((before) => ({ ...before, isPending: true, error: undefined }))
    try {
      await save(mine, etag)
      setState({ isPending: false, error: undefined, conflict: undefined })
      onSaved(mine)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) {
        setState((before) => ({ ...before, isPending: false, error }))
        return
      }
      try {
        const theirs = await load()
        setState({ isPending: false, error: undefined, conflict: { mine, theirs } })
      } catch (failed) {
        setState({ isPending: false, error: failed, conflict: undefined })
      }
    }
  }
  return {
    ...state,
    save: (values: V) => void send(values, options.etag),
    keepMine: () => {
      if (state.conflict) void send(state.conflict.mine, state.conflict.theirs.etag)
    },
    takeTheirs: () => {
      if (!state.conflict) return
      onTaken(state.conflict.theirs)
      setState({ isPending: false, error: undefined, conflict: undefined })
    },
    /** Goes on editing; the next attempt asks again. */
    dismiss: () => setState((before) => ({ ...before, conflict: undefined })),
  }
}
