/** Every line of it ends as on Windows. */
export const hasWindowsLines = (text: string): boolean => text.includes("\r\n") && !/(?<!\r)\n/.test(text);

/** Answers come with `\n`; a file that has `\r\n` throughout keeps it. */
export const withLineEnds = (text: string, now: string | undefined): string =>
  now !== undefined && hasWindowsLines(now) ? text.replace(/\r?\n/g, "\r\n") : text;
