import { createContext } from 'react'

/** Whether the rest of a message may be missing, because its conversation is only the beginning of what is stored. */
export const IncompleteContext = createContext(false)
