/** Takes no room, and is part of neither a link nor an icon. */
const GAP = "\u200b";

/**
 * The same text to the eye, in which the editor finds no link: notifications, and the line below a box that is typed in,
 * make one of `[label](address)`, which may be a command's (`linkedText` in the editor's sources).
 */
export const withoutLinks = (text: string): string => text.replaceAll("](", `]${GAP}(`);

/**
 * The same text to the eye, with neither links nor icons: rows of a pick and the line below a box show an icon for
 * `$(name)`. The editor's own escape, a backslash, would hide the name from what a person types to find the row.
 */
export const asText = (text: string): string => withoutLinks(text).replaceAll("$(", `$${GAP}(`);
