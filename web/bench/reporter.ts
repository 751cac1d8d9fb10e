import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'

/** Passes on the output of the benchmark, and reports failures. */
class BenchReporter implements Reporter {
  onStdOut(chunk: string | Buffer) {
    process.stdout.write(chunk)
  }

  onStdErr(chunk: string | Buffer) {
    process.stderr.write(chunk)
  }

  onTestEnd(test: TestCase, result: TestResult) {
    if (result.status === 'passed') return
    process.stderr.write(`${test.title}: ${result.error?.message ?? result.status}\n`)
  }

  onError(error: { message?: string }) {
    process.stderr.write(`${error.message}\n`)
  }

  onEnd(result: FullResult) {
    if (result.status !== 'passed')
      process.stderr.write('A size is over its budget, or a measurement failed.\n')
  }
}

export default BenchReporter
