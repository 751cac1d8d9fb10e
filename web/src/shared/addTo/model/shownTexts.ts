type Texts = { traceInput: unknown; traceOutput: unknown }

/**
 * The texts that represent an observation or, with `isTrace`, the trace that it is the first one of: a trace may have an
 * input and output of its own. What is shown is also what is commented on and added to datasets.
 */
export function shownTexts(texts: Texts, isTrace: boolean) {
  const hasOwn = isTrace && (texts.traceInput !== null || texts.traceOutput !== null)
  return hasOwn
    ? ({ input: 'traceInput', output: 'traceOutput' } as const)
    : ({ input: 'input', output: 'output' } as const)
}
