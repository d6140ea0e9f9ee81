/** Which requests a fault hits. All given parts must agree. */
export interface Match {
  readonly method?: string;
  /** A string is the exact path, or its beginning when it ends with `*`. */
  readonly path?: string | RegExp;
  /** Only the nth request that agrees, counted from 1 since the rule was made. */
  readonly nth?: number;
}

/** A change to the parts (result lines or server-sent events) of a streamed reply. Parts count from 1. */
export type PartFault =
  /** Ends cleanly after so many parts, as if the file were complete. */
  | { readonly kind: "endAfter"; readonly parts: number }
  /** Ends cleanly in the middle of this part. */
  | { readonly kind: "cutInside"; readonly part: number }
  /** Breaks the connection in the middle of the part after so many. */
  | { readonly kind: "dropAfter"; readonly parts: number }
  | { readonly kind: "insert"; readonly after: number; readonly text: string }
  /** A whole further line whose `custom_id` nobody sent. */
  | { readonly kind: "unknownId"; readonly after: number; readonly id: string }
  /** The part a second time; `altered` gives it another answer text. */
  | { readonly kind: "repeat"; readonly part: number; readonly altered: boolean }
  /** Leaves the part's first half and a line end: JSON that cannot be read. */
  | { readonly kind: "damage"; readonly part: number }
  | { readonly kind: "crlf" }
  /** Sends pieces of so many bytes, so that a character may be split over two. */
  | { readonly kind: "chunks"; readonly bytes: number }
  /** So many milliseconds before each part. */
  | { readonly kind: "pace"; readonly ms: number };

/** One thing that goes wrong with a request. */
export type Fault =
  /** Answers with this instead. `acted` lets the request take effect first. */
  | {
      readonly kind: "reply";
      readonly status: number;
      readonly body?: unknown;
      readonly headers?: Readonly<Record<string, string>>;
      readonly acted?: boolean;
    }
  | { readonly kind: "delay"; readonly ms: number }
  /** Breaks the connection with no reply, before or after the request took effect. */
  | { readonly kind: "drop"; readonly acted: boolean }
  /** Never answers; the connection stays open until the simulator closes. */
  | { readonly kind: "hang"; readonly acted: boolean }
  | { readonly kind: "redirect"; readonly to: string; readonly status?: number }
  /** The batch that this request creates is left out of `list` until it is shown. */
  | { readonly kind: "hide" }
  | { readonly kind: "parts"; readonly faults: readonly PartFault[] };

export interface Rule {
  readonly match: Match;
  /** How often the rule applies before it is spent; 1 when absent. */
  readonly times?: number;
  readonly do: Fault | readonly Fault[];
}

interface LiveRule {
  readonly rule: Rule;
  seen: number;
  left: number;
}

/** The queue of rules; the first that agrees with a request is used. */
export class Misbehaviour {
  private rules: LiveRule[] = [];

  add(rule: Rule): void {
    this.rules.push({ rule, seen: 0, left: rule.times ?? 1 });
  }

  clear(): void {
    this.rules = [];
  }

  /** The faults for this request, in order; empty when it is served as usual. */
  take(method: string, path: string): readonly Fault[] {
    for (const live of this.rules) {
      if (live.left <= 0 || !agrees(live.rule.match, method, path)) continue;
      live.seen += 1;
      const nth = live.rule.match.nth;
      if (nth !== undefined && live.seen !== nth) continue;
      live.left -= 1;
      return [live.rule.do].flat();
    }
    return [];
  }
}

function agrees(match: Match, method: string, path: string): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.path === undefined) return true;
  if (typeof match.path !== "string") return match.path.test(path);
  return match.path.endsWith("*") ? path.startsWith(match.path.slice(0, -1)) : path === match.path;
}
