/**
 * The rooms below write English, and so does the journal, whoever reads it later in whatever language. So a message is
 * translated by its shape: each template stands for the messages that are like it but for its places. `{0}` takes what is
 * said as it is, such as names and what git or a server printed; `{a}` takes only what is a known message itself.
 */
export class MessageWords {
  readonly #shapes: readonly Shape[];
  readonly #said = new Map<string, string | undefined>();

  /** `english` and `told`: the same templates in the same order, in English and in the reader's language. */
  constructor(english: readonly string[], told: readonly string[]) {
    this.#shapes = english
      .map((template, at) => shape(template, told[at] ?? template))
      // The one that says most by itself comes first: others may be like it but for a name.
      .sort((a, b) => b.fixed - a.fixed);
  }

  /** `undefined` where nothing is known of it. */
  say(message: string): string | undefined {
    if (this.#said.has(message)) return this.#said.get(message);
    const said = this.#byLine(message) ?? this.#match(message) ?? this.#behindField(message);
    if (this.#said.size >= MOST_KEPT) this.#said.clear();
    this.#said.set(message, said);
    return said;
  }

  #match(message: string): string | undefined {
    for (const { pattern, places, told } of this.#shapes) {
      const found = pattern.exec(message);
      if (!found) continue;
      const [, subject, ...captured] = found;
      const values = captured.map((text, at) => (isVerbatim(places[at] ?? "") ? text : this.say(text)));
      if (values.includes(undefined)) continue;
      const filled = told.replace(PLACE, (_, place: string) => values[places.indexOf(place)] ?? "");
      return subject === undefined ? filled : `${subject} ${filled}`;
    }
    return undefined;
  }

  /** Refusals of an input begin with the field they are about. */
  #behindField(message: string): string | undefined {
    const [, field, rest = ""] = /^([\w.[\]-]+): ([^]*)$/.exec(message) ?? [];
    const said = field === undefined ? undefined : this.say(rest);
    return said === undefined ? undefined : `${field}: ${said}`;
  }

  /** A list of numbered lines with what is wrong in each. */
  #byLine(message: string): string | undefined {
    const lines = message.split("\n");
    if (lines.length === 1 || !/^\d+: /.test(message)) return undefined;
    return lines.map((line) => this.say(line) ?? line).join("\n");
  }
}

interface Shape {
  /** Its first group is the subject of a message that begins with its verb. */
  readonly pattern: RegExp;
  readonly places: readonly string[];
  readonly told: string;
  /** Characters of the template outside its places. */
  readonly fixed: number;
}

const MOST_KEPT = 1000;
const PLACE = /\{(\d|[a-z])\}/g;
const VERB = /^(?:is|are|has|must|may|can|cannot|does|holds|contains|lies|makes|repeats|belongs|uses|was)\b/;
const isVerbatim = (place: string): boolean => /\d/.test(place);

function shape(template: string, told: string): Shape {
  const parts = template.split(PLACE);
  const places = parts.filter((_, at) => at % 2 === 1);
  const fixed = parts.filter((_, at) => at % 2 === 0);
  const [head = "", ...rest] = fixed.map((text) => RegExp.escape(text));
  // Names are of one line; what another program printed comes last.
  const groups = rest.map((text, at) => (at === rest.length - 1 ? `([^]*)${text}` : `([^\\n]*?)${text}`));
  const subject = VERB.test(template) ? "(?:([^\\n]*?) )?" : "()??";
  return {
    pattern: new RegExp(`^${subject}${head}${groups.join("")}$`),
    places,
    told,
    fixed: fixed.join("").length,
  };
}
