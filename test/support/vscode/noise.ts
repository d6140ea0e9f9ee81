/** Known to be harmless: native modules that the server build lacks and a test run does not need. */
const known = [/Could not locate the bindings file/, /build\/Release\/watchdog/];

export function isNoise(text: string): boolean {
  return known.some((pattern) => pattern.test(text));
}
