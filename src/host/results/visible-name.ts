/**
 * What is not seen in a name, or changes how the rest of it is seen: control characters, line ends, changes of direction,
 * halves of pairs, and all that Unicode says to leave out where it is not known (https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point).
 * Joiners and variants belong to words of some scripts and to emoji, so after ASCII alone they are strange.
 */
const invisible =
  /(?!\u200c|\u200d|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}]|(?<!\P{ASCII})(?:\u200c|\u200d|\ufe0e|\ufe0f)/gu;

/** A person sees the name as it is. */
export const isVisible = (name: string): boolean => name.search(invisible) < 0;

/** The name with what is not seen in it written out. */
export const visibleName = (name: string): string =>
  name.replace(invisible, (found) => `\\u{${(found.codePointAt(0) ?? 0).toString(16)}}`);
