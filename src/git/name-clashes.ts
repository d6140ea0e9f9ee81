/**
 * Pairs of names that one remote may not take side by side: a branch where another needs a folder, and names that differ
 * only in case, of which a host on a file system that ignores case refuses one. `pushed` and `there` are full ref names.
 */
export function nameClashes(
  pushed: readonly string[],
  there: Iterable<string>,
): readonly { readonly names: readonly [string, string]; readonly kind: "folder" | "case" }[] {
  const all = new Set([...pushed, ...there]);
  const byFolded = Map.groupBy(all, (name) => name.toLowerCase());
  const beneath = new Map<string, string>();
  for (const name of all)
    for (const folder of foldersOf(name)) if (!beneath.has(folder)) beneath.set(folder, name);
  const clashes = new Map<string, { names: readonly [string, string]; kind: "folder" | "case" }>();
  const add = (kind: "folder" | "case", one: string, other: string): void => {
    const names = one < other ? ([one, other] as const) : ([other, one] as const);
    clashes.set(names.join("\0"), { names, kind });
  };
  for (const name of new Set(pushed)) {
    for (const other of byFolded.get(name.toLowerCase()) ?? []) if (other !== name) add("case", name, other);
    for (const folder of foldersOf(name)) if (all.has(folder)) add("folder", folder, name);
    const inside = beneath.get(name);
    if (inside !== undefined) add("folder", name, inside);
  }
  return [...clashes.values()];
}

function foldersOf(name: string): readonly string[] {
  const parts = name.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/"));
}
