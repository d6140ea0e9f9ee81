export function namedIcons(sources: readonly string[], css: string): Map<string, number>;
