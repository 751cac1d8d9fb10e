import { workerAddress } from './workerAddress'

/** A running worker. */
export type RunningWorker<Question> = { ask: (question: Question) => void; stop: () => void }

/**
 * Starts a worker of ours. `onFailure` is called if it cannot be started, if its script cannot be loaded, as after an
 * update of the server, or if it throws. All workers are started here.
 */
export function startWorker<Question, Answer>(
  script: string,
  onAnswer: (answer: Answer) => void,
  onFailure: () => void,
): RunningWorker<Question> {
  try {
    const worker = new Worker(workerAddress(script), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => onAnswer(data))
    worker.addEventListener('messageerror', onFailure)
    worker.addEventListener('error', onFailure)
    return {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      ask: (question) => worker.postMessage(question),
      stop: () => worker.terminate(),
    }
  } catch {
    queueMicrotask(onFailure)
    return { ask: () => {}, stop: () => {} }
  }
}
