import { useState } from 'react'
import { useProject } from '@/shared/currentUser'
import { useSuggestions } from '@/shared/query'
import { dynamicKeys, type TableState } from '@/shared/table'

/** The names of scores that a list can show: those that it shows and, once somebody looks for columns, all. */
export function useScoreNames(state: TableState): [names: string[], find: () => void] {
  const { project } = useProject()
  const [isWanted, setIsWanted] = useState(false)
  const { data } = useSuggestions(project.id, isWanted ? 'scores' : undefined, '', 50)
  const found = data?.values.map(({ value }) => value) ?? []
  return [[...new Set([...dynamicKeys('scores', state.shown), ...found])], () => setIsWanted(true)]
}
