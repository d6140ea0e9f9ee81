/**
 * A text from outside for where the editor makes links of `[text](address)`, such as its notifications: shown as it is. The
 * editor reads a link only where the brackets touch, so what parts them has no width.
 */
export const withoutLinks = (text: string): string => text.replaceAll("](", "]\u2060(");

/** The same for where the editor also makes icons of `$(name)`, such as its questions. */
export const literal = (text: string): string => withoutLinks(text).replace(/\$(?=\()/g, "\\$");
