/** A problem with one part of a request. */
export type Issue = { path: (string | number)[]; message: string }

/** An unsuccessful response from the server, or no response at all (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly issues: Issue[] = [],
  ) {
    super(message)
    this.name = 'ApiError'
  }

  /** Whether the same request may succeed if retried later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

type Result<T> = { data?: T; error?: unknown; response: Response }

/**
 * Returns the data of a successful response; throws an ApiError otherwise. Every hook that reads or changes something
 * uses it.
 */
export async function unwrap<T>(result: Promise<Result<T>>): Promise<T> {
  let answer: Result<T>
  try {
    answer = await result
  } catch (cause) {
    throw unreached(cause)
  }
  if (!answer.response.ok) throw toApiError(answer.response.status, answer.error)
  // Responses without a body are typed as undefined in the API description.
  return answer.data as T
}

/** The error to throw for a request without a response; that it was cancelled stays as it is. */
export function unreached(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === 'AbortError') return cause
  return new ApiError(
    0,
    'network',
    'The server cannot be reached. Check your connection and try again.',
  )
}

/**
 * Reads an error body of either API: {error, message, issues}, or the public API's {message, error}, where error is a
 * string or a list of issues.
 */
export function toApiError(status: number, body: unknown): ApiError {
  const fields = isRecord(body) ? body : {}
  const code = text(fields.code) ?? text(fields.error) ?? `status_${status}`
  const message =
    text(fields.message) ?? text(fields.error) ?? `The server answered with status ${status}.`
  const listed = [fields.issues, fields.error].find((value) => Array.isArray(value))
  const issues = Array.isArray(listed) ? listed.flatMap(toIssue) : []
  return new ApiError(status, code, message, issues)
}

function toIssue(value: unknown): Issue[] {
  if (!isRecord(value)) return []
  const path = Array.isArray(value.path)
    ? value.path.filter((part) => typeof part === 'string' || typeof part === 'number')
    : []
  return [{ path, message: text(value.message) ?? '' }]
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
