import { withoutSecrets } from "./remotes.ts";

/** Kept by the journal: what our own pushes left at an address, by full ref name. */
export interface Facts {
  readonly recall: (key: string) => Promise<string | undefined>;
  readonly remember: (key: string, value: string | undefined) => Promise<unknown>;
}

const MAX_NOTES = 2000;
const keyOf = (url: string): string => `git.pushed ${withoutSecrets(url)}`;

export async function pushedNotes(
  recall: Facts["recall"],
  url: string,
): Promise<ReadonlyMap<string, string>> {
  const text = await recall(keyOf(url));
  return new Map(text === undefined ? [] : Object.entries(JSON.parse(text) as Record<string, string>));
}

export async function notePushed(
  facts: Facts,
  url: string,
  pushed: readonly { readonly ref: string; readonly oid: string }[],
): Promise<void> {
  if (pushed.length === 0) return;
  const notes = new Map(await pushedNotes(facts.recall, url));
  for (const { ref, oid } of pushed) {
    notes.delete(ref);
    notes.set(ref, oid);
  }
  await facts.remember(keyOf(url), JSON.stringify(Object.fromEntries([...notes].slice(-MAX_NOTES))));
}
