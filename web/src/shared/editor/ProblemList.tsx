import { formatExact } from '@/shared/lib/format'
import { lineAt, type Problem } from './model/problem'

type ProblemListProps = {
  text: string
  problems: readonly Problem[]
  onGo: (problem: Problem) => void
}

/** At most this many are listed; all are marked in the text. */
const maxListed = 5

/** The problems of a text, with a way to each. Changes are announced politely, since they come while typing. */
export function ProblemList({ text, problems, onGo }: ProblemListProps) {
  const rest = problems.length - maxListed
  return (
    <ul
      aria-live="polite"
      aria-label="Problems"
      hidden={problems.length === 0}
      className="border-t border-border bg-danger-soft px-2.5 py-1 text-sm text-danger"
    >
      {problems.slice(0, maxListed).map((problem) => (
        <li key={`${problem.from} ${problem.message}`}>
          <button
            type="button"
            onClick={() => onGo(problem)}
            className="rounded-sm text-left underline decoration-danger/40 underline-offset-2 hover:decoration-danger"
          >
            Line {formatExact(lineAt(text, problem.from))}
          </button>
          : {problem.message}
        </li>
      ))}
      {rest > 0 && <li>and {formatExact(rest)} more, marked in the text</li>}
    </ul>
  )
}
