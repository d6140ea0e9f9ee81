import { isFinal } from "../../core/operation.ts";
import type { Operation } from "../../core/operation.ts";
import type { Result } from "../../core/result.ts";
import type { Translate } from "../l10n.ts";
import type { Parts } from "../parts.ts";
import { statusName } from "../words.ts";
import { WordedError } from "../worded-error.ts";

/** A request that is over, with what came of it. */
export interface Answered {
  readonly operation: Operation;
  readonly result: Result;
}

const PAGE = 500;

/** Finds results. Rejects with `StateError` where there is none. */
export class AnsweredRequests {
  readonly #journal: Pick<Parts["journal"], "operation" | "operations" | "batch" | "result">;
  readonly #t: Translate;

  constructor(
    journal: Pick<Parts["journal"], "operation" | "operations" | "batch" | "result">,
    t: Translate,
  ) {
    this.#journal = journal;
    this.#t = t;
  }

  /** One that is answered or on its way. */
  async begun(id: string): Promise<Operation> {
    const operation = await this.#request(id);
    if (operation.status !== "executing") await this.find(id);
    return operation;
  }

  async find(id: string): Promise<Answered> {
    const operation = await this.#request(id);
    const result = await this.#journal.result(id);
    if (!result)
      throw new WordedError(
        "not-final",
        this.#t("id: this request has no result yet; it is {0}.", statusName(operation.status, this.#t)),
      );
    return { operation, result };
  }

  async #request(id: string): Promise<Operation> {
    const operation = await this.#journal.operation(id);
    if (!operation) throw new WordedError("not-found", this.#t("id: there is no operation {0}.", id));
    if (operation.kind !== "request")
      throw new WordedError("not-a-request", this.#t("id: {0} is not an LLM request.", id));
    return operation;
  }

  /** The text of a successful answer. */
  async text(id: string): Promise<string> {
    const { text } = (await this.find(id)).result;
    if (text === undefined) throw new WordedError("no-text", this.#t("id: this result has no text."));
    return text;
  }

  async hasText(id: string): Promise<boolean> {
    return (await this.#journal.result(id))?.text !== undefined;
  }

  /** The finished requests of a batch, in order. */
  async ofBatch(batch: string): Promise<readonly Operation[]> {
    const found = await this.#journal.batch(batch);
    if (!found) throw new WordedError("not-found", this.#t("batch: there is no batch {0}.", batch));
    if (found.side !== "llm")
      throw new WordedError("not-requests", this.#t("batch: {0} holds no LLM requests.", batch));
    const all: Operation[] = [];
    for (let after: string | undefined; ;) {
      const page = await this.#journal.operations({
        batch,
        limit: PAGE,
        ...(after === undefined ? {} : { after }),
      });
      all.push(...page.filter(({ status }) => isFinal(status)));
      after = page.at(-1)?.id;
      if (page.length < PAGE) break;
    }
    return all.sort((a, b) => a.position - b.position);
  }

  /** The result before or after this one in its batch, from the end on to the other end. */
  async neighbour(id: string, by: 1 | -1): Promise<string> {
    const { operation } = await this.find(id);
    const all = operation.batch === undefined ? [] : await this.ofBatch(operation.batch);
    const at = all.findIndex((other) => other.id === id);
    return all.at((at + by) % Math.max(all.length, 1))?.id ?? id;
  }
}
