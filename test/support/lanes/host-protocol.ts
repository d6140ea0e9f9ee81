/** What the host lane and the tests it runs in an extension host agree on. */
export const hostEnvironment = {
  totals: "BATCH_CONTROL_TEST_TOTALS",
  grep: "BATCH_CONTROL_TEST_GREP",
  /** The folder of the sample workspace that is open. */
  sample: "BATCH_CONTROL_TEST_SAMPLE",
} as const;

/** Begins every line that the tests, and the extension under test, print. */
export const testLineMark = "test> ";
